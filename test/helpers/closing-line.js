const { writeSync } = require('node:fs');

/** Jest reporter: closes the run with the plain line "N passed, N failed". */
module.exports = class ClosingLine {
	onRunComplete(_contexts, results) {
		const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
		const skipped = results.numPendingTests + results.numTodoTests;
		const line = `${results.numPassedTests} passed, ${failed} failed`;
		// After all other output.
		process.on('exit', () => {
			// Jest closes its stream when it forces the exit.
			writeSync(1, `\n${line}${skipped ? `, ${skipped} skipped` : ''}\n`);
		});
	}
};
