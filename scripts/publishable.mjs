/**
 * Refuses to publish while package.json names nobody who publishes it, and elsewhere than on GitHub. `npm run release` and
 * `npm publish` run it.
 */
import { runCommand } from './lib/command.mjs';
import { Problem } from './lib/problem.mjs';
import { manifest } from './lib/repository.mjs';

await runCommand(async () => {
	if (/\/\/[^/]+\/n8n-nodes-integration-leads\//.test(manifest.repository.url)) {
		throw new Problem(
			'Nothing was published, because package.json has stand-ins for who publishes it.',
			'Set author, homepage, repository and bugs to yours, and commit package.json.',
		);
	}
	if (process.env.GITHUB_ACTIONS) return 0;
	throw new Problem(
		'Nothing was published: that happens on GitHub, which signs where the package is from.',
		'Push the tag of the version, see CONTRIBUTING.md, "Releasing".',
	);
});
