/** Something the user can put right. Its message says what happened and what to do; no stack. */
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

/** The end of a long output, which is where tools put their reason. */
export const lastLines = (text, count = 20) => text.trimEnd().split('\n').slice(-count).join('\n');
