/** What is published: the build, and what tells people about it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import manifest, { n8n } from '../../package.json';
import { packed } from './packed.mts';

const files = packed.files.map(({ path }) => path);

it('holds the build, and nothing that a user of the nodes does not need', () => {
	const beside = files.filter((file) => !file.startsWith('dist/'));
	// In English only, as n8n wants it of what is verified.
	expect(beside.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
	const built = files.filter((file) => file.startsWith('dist/'));
	const known = /^dist\/((nodes|credentials)\/.+\.(js|json)|icons\/[\w.]+\.svg)$/;
	const foreign = built.filter((file) => !known.test(file));
	expect(foreign).toEqual([]);
});

it.each([
	[n8n.nodes[0], 'WhatsApp Chatwoot WAHA Meta conversion protocolo sale venda sheet planilha'],
	[n8n.nodes[1], ''],
])('%s is found by the words that people use for it', (built, own) => {
	const file = built.replace(/^dist\//, '').replace(/\.js$/, '.json');
	const { alias } = JSON.parse(readFileSync(join(__dirname, '../..', file), 'utf8')) as {
		alias: string[];
	};
	const words = `CRM lead bulk pipeline funnel funil cliente contato etiqueta mensagem ${own}`;
	expect(alias).toEqual(expect.arrayContaining(words.trim().split(' ')));
});

it('holds all that it registers', () => {
	expect(files).toEqual(expect.arrayContaining([...n8n.nodes, ...n8n.credentials]));
});

it('needs nothing but what n8n gives it', () => {
	for (const field of ['dependencies', 'optionalDependencies', 'bundledDependencies', 'overrides'])
		expect(manifest).not.toHaveProperty(field);
});
