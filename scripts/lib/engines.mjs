import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { cached, copyLock, readLock } from './cache.mjs';
import { INSTALL_FLAGS, npm, npmInstallFailed } from './npm.mjs';
import { step } from './progress.mjs';
import { fromRoot } from './repository.mjs';

const FOLDER = fromRoot('scripts', 'n8n-engines');

const { dependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));

/** The n8n versions whose engines are installed, such as `2.0.3`, the oldest first. */
export const engineVersions = Object.keys(dependencies).map((name) => name.replace('n8n-', ''));

/**
 * Installs the engines of all versions, once: with one lock file, so that they share what they have in common.
 * @returns {Promise<{version: string, core: string, workflow: string}[]>} the main file of the engine of each version,
 *   and of the n8n-workflow that belongs to it
 */
export async function ensureEngines() {
	const folder = await cached(`engines-${readLock(FOLDER).hash}`, (unfinished) =>
		step(`Installing the engines of ${engineVersions.length} n8n versions`, async () => {
			await copyLock(FOLDER, unfinished);
			const flags = [...INSTALL_FLAGS, '--omit=optional', '--legacy-peer-deps'];
			const result = await npm(['ci', ...flags], { cwd: unfinished });
			if (result.code !== 0) {
				throw npmInstallFailed('The engines could not be installed', result.output, '');
			}
		}),
	);
	const { resolve } = createRequire(join(folder, 'package.json'));
	return engineVersions.map((version) => {
		const core = resolve(`n8n-${version}`);
		return { version, core, workflow: createRequire(core).resolve('n8n-workflow') };
	});
}
