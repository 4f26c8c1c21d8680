import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { Problem, lastLines } from './problem.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const fromRoot = (...parts) => join(root, ...parts);

export const manifest = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));

/** n8n prefixes a community node's type with the name of its package. */
export const nodeType = `${manifest.name}.integrationLeads`;
export const triggerType = `${nodeType}Trigger`;
export const credentialType = 'integrationLeadsApi';

/** Throws a Problem if `npm ci` was not run, or ran for an older package.json. */
export function requireDependencies() {
	const missing = Object.keys(manifest.devDependencies).filter(
		(name) => !existsSync(fromRoot('node_modules', name, 'package.json')),
	);
	if (missing.length > 0) {
		throw new Problem(
			`Not installed yet: ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ', …' : ''}.`,
			'Run `npm ci` in the repository first.',
		);
	}
}

/**
 * Builds and packs, one run at a time in this checkout.
 * @param {string} folder of the tarball
 * @returns {Promise<string>} path of the tarball
 */
export const buildAndPack = async (folder) =>
	await withLock(fromRoot('node_modules', '.build'), async () => {
		await build();
		return await pack(folder);
	});

/** Compiles the package into dist/. */
async function build() {
	const result = await npm(['run', 'build'], { cwd: root });
	if (result.code !== 0) {
		throw new Problem(`\`npm run build\` failed:\n${lastLines(result.output, 40)}`);
	}
}

/**
 * Packs the package as it would be published.
 * @param {string} folder of the tarball
 * @returns {Promise<string>} path of the tarball
 */
export async function pack(folder) {
	const flags = ['--json', '--loglevel=error', '--pack-destination', folder];
	const result = await npm(['pack', ...flags], { cwd: root });
	if (result.code !== 0) throw new Problem(`\`npm pack\` failed:\n${lastLines(result.output)}`);
	const [packed] = JSON.parse(result.stdout);
	return join(folder, packed.filename);
}
