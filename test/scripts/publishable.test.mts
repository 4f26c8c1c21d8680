/** Nothing is published under a name that is nobody's. */
import { map, merge } from 'lodash';

import { scripts } from '../../package.json';
import { evaluate } from '../helpers/script.mts';

const ours = {
	homepage: 'https://github.com/someone/n8n-nodes-integration-leads#readme',
	author: { name: 'Someone', email: 'someone@their.domain' },
	repository: { url: 'git+https://github.com/someone/n8n-nodes-integration-leads.git' },
	bugs: { url: 'https://github.com/someone/n8n-nodes-integration-leads/issues' },
};
const organization = 'github.com/n8n-nodes-integration-leads/n8n-nodes-integration-leads';

const rows: Array<[object, string[]]> = [
	[{}, []],
	[{ homepage: `https://${organization}#readme` }, ['homepage']],
	[{ homepage: '' }, ['homepage']],
	[{ author: { name: 'n8n-nodes-integration-leads contributors' } }, ['author.name']],
	[{ author: { email: 'n8n-nodes-integration-leads@users.noreply.github.com' } }, ['author.email']],
	[{ author: { email: '1+someone@users.noreply.github.com' } }, []],
	[{ repository: { url: `git+https://${organization}.git` } }, ['repository.url']],
	[{ bugs: { url: `https://${organization}/issues` } }, ['bugs.url']],
	[{ author: null, repository: null }, ['author.name', 'author.email', 'repository.url']],
];
test('stand-ins are refused by name, and nothing else is', () => {
	const manifests = JSON.stringify(rows.map(([changes]) => merge({}, ours, changes)));
	const found = evaluate('publishable.mjs', ['standInsOf'], `${manifests}.map(standInsOf)`);
	expect(map(found as Array<Array<{ field: string }>>, (each) => map(each, 'field'))).toEqual(
		map(rows, 1),
	);
});

test.each(['release', 'prepublishOnly'] as const)('npm run %s checks that first', (script) => {
	expect(scripts[script]).toMatch(/^node scripts\/publishable\.mjs && /);
});
