/**
 * Refuses to publish while package.json names no publisher, and anywhere but on GitHub. `npm run release` and
 * `npm publish` run it.
 */
import { runCommand } from './lib/command.mts';
import { CommandError } from './lib/commandError.mts';
import { manifest } from './lib/repository.mts';

await runCommand(async () => {
	if (/\/\/[^/]+\/n8n-nodes-integration-leads\//.test(manifest.repository.url)) {
		throw new CommandError(
			'Nothing was published, because package.json has stand-ins for who publishes it.',
			'Set author, homepage, repository and bugs to yours, and commit package.json.',
		);
	}
	if (process.env.GITHUB_ACTIONS) return 0;
	throw new CommandError(
		'Nothing was published: that happens on GitHub, which signs where the package is from.',
		'Push the tag of the version, see CONTRIBUTING.md, "Releasing".',
	);
});
