/**
 * Refuses to publish while package.json names nobody who publishes it, and elsewhere than on GitHub. `npm run release` and
 * `npm publish` run it.
 */
import { runCommand } from './lib/command.mjs';
import { Problem } from './lib/problem.mjs';
import { manifest } from './lib/repository.mjs';

/** Where package.json says who publishes the package, and what shows that it does not say so yet. */
const FIELDS = {
	'author.name': /\bcontributors$/,
	'author.email': /^n8n-nodes-integration-leads@|@example\./,
	homepage: /\/\/[^/]+\/n8n-nodes-integration-leads\//,
	'repository.url': /\/\/[^/]+\/n8n-nodes-integration-leads\//,
	'bugs.url': /\/\/[^/]+\/n8n-nodes-integration-leads\//,
};

await runCommand(async () => {
	const standIns = Object.entries(FIELDS).flatMap(([field, standIn]) => {
		const value = field.split('.').reduce((inside, name) => inside?.[name], manifest) ?? '';
		return value === '' || standIn.test(value) ? [{ field, value }] : [];
	});
	if (standIns.length === 0) {
		if (process.env.GITHUB_ACTIONS) return 0;
		throw new Problem(
			'Nothing was published: that happens on GitHub, which signs where the package is from.',
			'Push the tag of the version, see CONTRIBUTING.md, "Releasing".',
		);
	}
	const rows = standIns.map(({ field, value }) => `  ${field}: ${value || 'missing'}`);
	throw new Problem(
		`Nothing was published, because package.json has stand-ins for who publishes it:\n${rows.join('\n')}`,
		`Set them to yours and commit package.json: npm pkg set ${standIns.map(({ field }) => `${field}="…"`).join(' ')}`,
	);
});
