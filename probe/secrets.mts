/** The forms an API key may have (spec part 5), wherever it comes from. */
const KEY_LIKE = /\w+_(live|test)_\w+/gi;
/** Evidence is pasted into issues: whose leads these are stays out of it. */
const EMAIL_LIKE = /[^\s"'=:,<>@]+@[^\s"',&<>@]+/g;
const HIDDEN = '[key]';

/** Takes a key out of a text, in every form in which it could come back. */
export function hideKey(text: string, apiKey: string): string {
	const json = JSON.stringify(apiKey).slice(1, -1);
	const forms = [apiKey, json, encodeURIComponent(apiKey), encodeURIComponent(json)];
	return forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);
}

/** Takes whatever looks like a key out of a text that is to be printed. */
export const hideKeyLike = (text: string) => text.replace(KEY_LIKE, HIDDEN);

/** What a text says in one line of at most `length` characters, without keys and emails. */
export function shorten(text: string, length = 100): string {
	// Hidden first: half a key that a cut leaves would not be recognised.
	const line = hideKeyLike(text)
		.replace(EMAIL_LIKE, '[email]')
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
