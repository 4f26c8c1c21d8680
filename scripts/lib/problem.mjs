/** An error that the user can fix. Its message says what happened and what to do; printed without a stack. */
export class Problem extends Error {
	/**
	 * @param {string} message what happened
	 * @param {string} [remedy] what to do about it
	 */
	constructor(message, remedy) {
		super(remedy ? `${message}\n${remedy}` : message);
		this.name = 'Problem';
	}
}

/** The end of a long output, where tools print the reason. */
export const lastLines = (text, count = 20) => text.trimEnd().split('\n').slice(-count).join('\n');
