const { writeSync } = require('node:fs');

/** Jest reporter: closes the run with the plain line "N passed, N failed". */
module.exports = class ClosingLine {
	onRunComplete(_contexts, results) {
		const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
		const skipped = results.numPendingTests + results.numTodoTests;
		const line = `${results.numPassedTests} passed, ${failed} failed`;
		// Behind all that others still have to say.
		process.on('exit', () => {
			// Jest closes the stream of a run that it ends by force.
			writeSync(1, `\n${line}${skipped ? `, ${skipped} skipped` : ''}\n`);
		});
	}
};
