import { existsSync } from 'node:fs';

import { CommandError } from '../scripts/lib/commandError.mts';
import { fromRoot } from '../scripts/lib/repository.mts';

/** The engine of the tests, which runs the built nodes. */
export async function loadEngine() {
	if (!existsSync(fromRoot('dist', 'nodes')))
		throw new CommandError('dist/ is missing.', 'Run `npm run build`.');
	const { engineWith } = await import('../test/helpers/engine.mts');
	return engineWith;
}

export type Engine = ReturnType<Awaited<ReturnType<typeof loadEngine>>>;
