/** What programs, spreadsheets and language models write where they have no value. */
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

/** Whether a text, as a whole and in any case, only stands for no value. */
export function isPlaceholder(text: string): boolean {
	return PLACEHOLDERS.includes(text.trim().toLowerCase());
}
