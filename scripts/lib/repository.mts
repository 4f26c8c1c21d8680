import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { withLock } from './lock.mts';
import { npm } from './npm.mts';
import { CommandError, lastLines } from './commandError.mts';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const fromRoot = (...parts: string[]): string => join(root, ...parts);

/** What the scripts read of package.json. */
interface Manifest {
	name: string;
	version: string;
	repository: { url: string };
	devDependencies: Record<string, string>;
}

export const manifest = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')) as Manifest;

/** n8n prefixes a community node's type with the name of its package. */
export const nodeType = `${manifest.name}.integrationLeads`;
export const triggerType = `${nodeType}Trigger`;
export const credentialType = 'integrationLeadsApi';

/** Throws a CommandError if `npm ci` was not run, or ran for an older package.json. */
export function requireDependencies(): void {
	const missing = Object.keys(manifest.devDependencies).filter(
		(name) => !existsSync(fromRoot('node_modules', name, 'package.json')),
	);
	if (missing.length > 0) {
		throw new CommandError(
			`Not installed yet: ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ', …' : ''}.`,
			'Run `npm ci` in the repository first.',
		);
	}
}

/** Builds and packs into a folder, one run at a time in this checkout. @returns path of the tarball */
export const buildAndPack = async (folder: string): Promise<string> =>
	await withLock(fromRoot('node_modules', '.build'), async () => {
		await build();
		return await pack(folder);
	});

/** Compiles the package into dist/. */
async function build(): Promise<void> {
	const result = await npm(['run', 'build'], { cwd: root });
	if (result.code !== 0) {
		throw new CommandError(`\`npm run build\` failed:\n${lastLines(result.output, 40)}`);
	}
}

/** Packs the package into a folder as it would be published. @returns path of the tarball */
export async function pack(folder: string): Promise<string> {
	const flags = ['--json', '--loglevel=error', '--pack-destination', folder];
	const result = await npm(['pack', ...flags], { cwd: root });
	if (result.code !== 0)
		throw new CommandError(`\`npm pack\` failed:\n${lastLines(result.output)}`);
	const [packed] = JSON.parse(result.stdout) as [{ filename: string }];
	return join(folder, packed.filename);
}
