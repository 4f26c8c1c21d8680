/** Repairs texts that were damaged on the way. Pure. */

/** Control characters but line breaks and tabs, and halves of characters: databases refuse the whole request for one of them. */
const UNSENDABLE = /(?![\t\n\r\x80-\x9f])\p{Cc}|\p{Cs}/gu;
/** How programs keep a spreadsheet from reading a text as a number: `="00042"`. */
const KEPT_AS_TEXT = /^\s*="([^"]*)"\s*$/;

/** A text without what cannot be sent, and without the marks of a spreadsheet. */
export function cleanText(text: string): string {
	const plain = text.replace(UNSENDABLE, '');
	return plain.startsWith('=') || /^\s+=/.test(plain) ? plain.replace(KEPT_AS_TEXT, '$1') : plain;
}

/** A text without quotes around all of it. `Ana "Nina" Souza` keeps its own. */
export const unquote = (text: string) => text.replace(/^\s*"([^"]*)"\s*$/, '$1');

const ENTITIES: Record<string, string> = {
	amp: '&',
	quot: '"',
	apos: "'",
	lt: '<',
	gt: '>',
	nbsp: ' ',
	eacute: 'é',
	aacute: 'á',
	iacute: 'í',
	oacute: 'ó',
	uacute: 'ú',
	atilde: 'ã',
	otilde: 'õ',
	ccedil: 'ç',
	acirc: 'â',
	ecirc: 'ê',
	ocirc: 'ô',
	ntilde: 'ñ',
	agrave: 'à',
	uuml: 'ü',
};
const ENTITY = /&(?:#(\d{2,6})|#x([\da-f]{2,5})|([a-z]{2,6}));/gi;

/** A name as people write it: without quotes around it, entities of HTML, and letters read in another encoding. */
export function cleanName(name: string): string {
	const text = unquote(name)
		.replace(ENTITY, (whole, decimal?: string, hex?: string, word?: string) => {
			if (word === undefined)
				return String.fromCodePoint(decimal ? Number(decimal) : parseInt(hex ?? '', 16));
			const letter = ENTITIES[word.toLowerCase()];
			if (letter === undefined) return whole;
			return /^\p{Lu}/u.test(word) ? letter.toUpperCase() : letter;
		})
		.replace(/^=?\?utf-8\?q\?(.*)\?=$/i, (_, inner: string) => inner.replace(/_/g, ' '));
	return fromLatin1(
		fromLatin1(
			text.replace(
				/(?:=[\dA-F]{2}){2,}/g,
				(bytes) =>
					ofBytes(
						bytes
							.slice(1)
							.split('=')
							.map((each) => parseInt(each, 16)),
					) ?? bytes,
			),
		),
	);
}

/** Windows-1252 where it differs from Latin-1, from 0x80. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

/** UTF-8 that was read as Latin-1 or Windows-1252, if all of it decodes. */
function fromLatin1(text: string): string {
	if (!/[ÂÃ][\x80-\xBF€-™ŠŒŽšœžŸƒˆ˜]/.test(text)) return text;
	const bytes = [...text].map((letter) => {
		const at = WINDOWS.indexOf(letter);
		return at >= 0 ? 0x80 + at : letter.codePointAt(0)!;
	});
	return bytes.every((byte) => byte < 256) ? (ofBytes(bytes) ?? text) : text;
}

function ofBytes(bytes: number[]): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
	} catch {
		return undefined;
	}
}
