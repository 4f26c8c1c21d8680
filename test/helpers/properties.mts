/** How all properties draw, and what is printed of one that does not hold. Jest loads this before each test file. */
import { relative } from 'node:path';

import fc from 'fast-check';

import { propertySettings } from './long.mts';

/** A word of a command line. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

fc.configureGlobal({
	...propertySettings,
	reporter(run: fc.RunDetails<unknown>) {
		const message = fc.defaultReportMessage(run);
		if (message === undefined) return;
		const { testPath = '', currentTestName = '' } = expect.getState();
		const path = run.counterexamplePath === null ? '' : ` --path ${run.counterexamplePath}`;
		const command = `npm run test:long -- ${relative('', testPath)} -t ${quote(currentTestName)} --seed ${run.seed}${path}`;
		throw new Error(`${message}\n\nTo repeat it: ${command}`, { cause: run.errorInstance });
	},
});
