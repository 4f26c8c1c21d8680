/** Phones: from how people, WhatsApp and its APIs write them to the international format (spec 2). Pure. */
import type { Convert } from '../operation';
import { toText } from './convert';

/** The ID of a person in WhatsApp; a device may stand behind the number. */
const WHATSAPP_ID = /^([1-9]\d{6,14})(?::\d+)?@(?:s\.whatsapp\.net|c\.us)$/i;
/** Digits and marks as wide as Chinese characters, each at the same distance from its usual form. */
const WIDE = /[\uff01-\uff5e]/g;
const WIDE_DISTANCE = 0xfee0;
/** What cannot be seen, and comes along when a number is copied: marks of direction, breaks and joints. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** What people put between digits: spaces, points, slashes, and hyphens and dashes of every length. */
const BETWEEN_DIGITS = /[\s./\-\u2010-\u2015\u2212]/g;
const INTERNATIONAL = /^(?:\+|00|\+00)([1-9]\d{6,14})$/;
/** What is dialled only within the country, as people note it after the country code: +44 (0)20. */
const NOTED_TRUNK = /^(\(?(?:\+|00|\+00)([1-9]\d{0,2})\)?)\(0\)/;
/**
 * In Italy the 0 is dialled from abroad as well, however it is noted (libphonenumber keeps it apart for that,
 * `italian_leading_zero` of its PhoneNumber).
 */
const ITALY = '39';

/**
 * How many digits a number has within its country (national numbering plans registered with ITU-T under E.164), and
 * what is dialled before it there.
 */
const PLANS: Record<string, { lengths: number[]; trunk?: string }> = {
	'1': { lengths: [10], trunk: '1' },
	'34': { lengths: [9] },
	'351': { lengths: [9] },
	'44': { lengths: [9, 10], trunk: '0' },
	'52': { lengths: [10] },
	'55': { lengths: [10, 11], trunk: '0' },
	'56': { lengths: [9] },
	'57': { lengths: [10] },
	'598': { lengths: [8], trunk: '0' },
};

/**
 * A phone in international format with a leading + (spec 2), from a WhatsApp ID or from a number written with its
 * country code in any way. A number without one gets the default country's where there is one. What is still unclear is
 * left as it is: a guess would reach somebody else.
 */
export const toPhone: Convert = (value, about) => {
	const text = toText(value, about);
	if (typeof text !== 'string') return text;
	const written = text.trim();
	const bare = bareText(text).replace(/^(?:whatsapp|tel):/i, '');
	const whatsApp = WHATSAPP_ID.exec(bare)?.[1];
	if (whatsApp !== undefined) return `+${whatsApp}`;
	const compact = bare
		.replace(BETWEEN_DIGITS, '')
		.replace(NOTED_TRUNK, (noted, before: string, code) => (code === ITALY ? noted : before))
		.replace(/[()]/g, '');
	const international = INTERNATIONAL.exec(compact)?.[1];
	if (international !== undefined) return `+${withoutTrunk(international)}`;
	if (about.countryCode === undefined || !/^\d{4,15}$/.test(compact)) return written;
	return inCountry(compact, about.countryCode) ?? written;
};

/** A text in plain characters, without what cannot be seen in it and around it. */
export function bareText(text: string): string {
	return text
		.trim()
		.replace(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDE_DISTANCE))
		.replace(INVISIBLE, '')
		.trim();
}

/**
 * +55 (011) is how numbers of Brazil are noted, where no area code begins with a 0. Elsewhere one may belong to the
 * number.
 */
function withoutTrunk(digits: string): string {
	const national = /^550([1-9]\d+)$/.exec(digits)?.[1] ?? '';
	return PLANS['55'].lengths.includes(national.length) ? `55${national}` : digits;
}

/** Digits without a + read as somebody in the country writes them; undefined where they can be read in two ways. */
function inCountry(digits: string, countryCode: string): string | undefined {
	const plan = PLANS[countryCode];
	if (!plan) {
		// Lengths unknown: what begins like the country code or a trunk prefix may be either.
		return digits.startsWith('0') || digits.startsWith(countryCode) || digits.length < 7
			? undefined
			: bounded(countryCode + digits);
	}
	const fits = (national: string) =>
		plan.lengths.includes(national.length) && !(plan.trunk && national.startsWith(plan.trunk));
	const { trunk = '' } = plan;
	const readings = [
		digits,
		...(trunk && digits.startsWith(trunk) ? [digits.slice(trunk.length)] : []),
		...(digits.startsWith(countryCode) ? [digits.slice(countryCode.length)] : []),
	];
	const numbers = new Set(readings.filter(fits));
	return numbers.size === 1 ? `+${countryCode}${[...numbers][0]}` : undefined;
}

function bounded(digits: string): string | undefined {
	return digits.length <= 15 ? `+${digits}` : undefined;
}

/**
 * The other way in which a Brazilian mobile number may have been stored: a 9 was put after the area code of all of them
 * (2012 to 2016), and older records and WhatsApp IDs may lack it. Numbers whose next digit is below 6 came later and have
 * no other form: without the 9 they would be landlines.
 *
 * @param phone in international format
 */
export function ninthDigitVariant(phone: string): string | undefined {
	const [, area, nine, number] = /^\+55([1-9]{2})(9?)([6-9]\d{7})$/.exec(phone) ?? [];
	if (number === undefined) return undefined;
	return `+55${area}${nine ? '' : '9'}${number}`;
}

/**
 * The other ways in which a mobile number may have been stored, for comparing: numbers of Argentina with a 9 and of
 * Mexico with a 1 after the country code are how they are dialled from abroad (Mexico's until 2019) and stand in
 * WhatsApp IDs; within the country neither is written. Which of the two the service has is not known, so none is sent in
 * place of what was given.
 *
 * @param phone in international format
 */
export function mobileVariants(phone: string): string[] {
	const ninth = ninthDigitVariant(phone);
	const [, country, mark, number] =
		/^\+(54)(9?)([1-3]\d{9})$/.exec(phone) ?? /^\+(52)(1?)([2-9]\d{9})$/.exec(phone) ?? [];
	if (number === undefined) return ninth === undefined ? [] : [ninth];
	const added = country === '54' ? '9' : '1';
	return [`+${country}${mark ? '' : added}${number}`];
}
