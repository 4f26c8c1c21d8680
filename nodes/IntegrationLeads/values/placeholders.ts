/** The words that programs, spreadsheets and language models write where they have no value. */
const PLACEHOLDERS = [
	'null',
	'undefined',
	'nan',
	'none',
	'n/a',
	'#n/a',
	// What JavaScript makes of an object as text.
	'[object object]',
];

/** The text as a whole is a word for nothing, however it is spelled. */
export function isPlaceholder(text: string): boolean {
	return PLACEHOLDERS.includes(text.trim().toLowerCase());
}
