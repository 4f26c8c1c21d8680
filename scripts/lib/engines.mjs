import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { cached } from './cache.mjs';
import { INSTALL_FLAGS, npm, npmInstallFailed } from './npm.mjs';
import { step } from './progress.mjs';
import { fromRoot } from './repository.mjs';

const FOLDER = fromRoot('scripts', 'n8n-engines');
const GIGABYTES = 1;

const readJson = (name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));

/** The n8n versions whose engines are installed, such as `2.0.3`, the oldest first. */
export const engineVersions = Object.keys(readJson('package.json').dependencies).map((name) =>
	name.replace('n8n-', ''),
);

/**
 * Installs the engines of all versions, once: with one lock file, so that they share what they have in common.
 * @returns {Promise<{version: string, core: string, workflow: string}[]>} the main file of the engine of each version,
 *   and of the n8n-workflow that belongs to it
 */
export async function ensureEngines() {
	const lock = JSON.stringify(readJson('package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex').slice(0, 12);
	const folder = await cached(`engines-${hash}`, {
		gigabytes: GIGABYTES,
		fill: (unfinished) =>
			step(`Installing the engines of ${engineVersions.length} n8n versions`, async () => {
				for (const file of ['package.json', 'package-lock.json']) {
					copyFileSync(join(FOLDER, file), join(unfinished, file));
				}
				const flags = [...INSTALL_FLAGS, '--omit=optional', '--legacy-peer-deps'];
				const result = await npm(['ci', ...flags], { cwd: unfinished });
				if (result.code !== 0) {
					throw npmInstallFailed('The engines could not be installed', result.output, '');
				}
			}),
	});
	const { resolve } = createRequire(join(folder, 'package.json'));
	return engineVersions.map((version) => {
		const core = resolve(`n8n-${version}`);
		return { version, core, workflow: createRequire(core).resolve('n8n-workflow') };
	});
}
