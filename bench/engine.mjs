import { existsSync } from 'node:fs';

import { tsImport } from 'tsx/esm/api';

import { CommandError } from '../scripts/lib/commandError.mts';
import { fromRoot } from '../scripts/lib/repository.mts';

/** The engine of the tests, which runs the built nodes. @returns `engineWith` of test/helpers/engine.mts */
export async function loadEngine() {
	if (!existsSync(fromRoot('dist', 'nodes')))
		throw new CommandError('dist/ is missing.', 'Run `npm run build`.');
	const { engineWith } = await tsImport('../test/helpers/engine.mts', {
		parentURL: import.meta.url,
		tsconfig: fromRoot('bench', 'tsconfig.json'),
	});
	return engineWith;
}
