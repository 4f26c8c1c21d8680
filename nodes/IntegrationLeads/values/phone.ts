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
/**
 * What people put between digits: spaces, points, and hyphens and dashes of every length. No slash: behind it mostly
 * stands a second number, or its last digits (3000-0001/2).
 */
const BETWEEN_DIGITS = /[\s.\-\u2010-\u2015\u2212]/g;
/** A slash that ends an area code, as people in Germany write it: +49 30/1234567. */
const AFTER_AREA_CODE = /^(\+?\d{1,6})\/(?=\d{5})/;
const INTERNATIONAL = /^(?:\+|00|\+00)([1-9]\d{6,14})$/;
/** What is dialled only within the country, as people note it after the country code: +44 (0)20. */
const NOTED_TRUNK = /^(\(?(?:\+|00|\+00)([1-9]\d{0,2})\)?)\(0\)/;
/** Where a 0 is dialled within the country only. Of other countries it is not known here, and the text stays as it is. */
const ZERO_TRUNK = new Set('27 31 32 33 353 358 41 43 44 46 49 54 55 61 64 81 90 91'.split(' '));
/**
 * In Italy, Côte d'Ivoire and the Congo the 0 is dialled from abroad as well, however it is noted (libphonenumber keeps
 * it apart for that, `italian_leading_zero` of its PhoneNumber).
 */
const ZERO_BELONGS = new Set(['39', '225', '242']);

/**
 * Numbers within their country (national numbering plans registered with ITU-T under E.164), and what is dialled before
 * them there. Brazil: an area code of two digits without a 0 and then a 9 with eight digits, or eight digits; or one of
 * the codes for services, of which the 0 before them is the trunk prefix as well.
 */
const PLANS: Record<string, { national: RegExp; trunk?: string }> = {
	'1': { national: /^[2-9]\d{9}$/, trunk: '1' },
	'34': { national: /^\d{9}$/ },
	'351': { national: /^\d{9}$/ },
	'44': { national: /^[1-9]\d{8,9}$/, trunk: '0' },
	'52': { national: /^\d{10}$/ },
	'55': { national: /^(?:[1-9]{2}(?:[2-9]\d{7}|9\d{8})|[3589]00\d{7})$/, trunk: '0' },
	'56': { national: /^\d{9}$/ },
	'57': { national: /^\d{10}$/ },
	'598': { national: /^[1-9]\d{7}$/, trunk: '0' },
	// Russia and Kazakhstan.
	'7': { national: /^\d{10}$/, trunk: '8' },
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
	const bare = bareText(text).replace(/^(?:whatsapp|tel):(?:\/\/)?/i, '');
	const whatsApp = WHATSAPP_ID.exec(bare)?.[1];
	if (whatsApp !== undefined) return `+${withoutTrunk(whatsApp)}`;
	const compact = withoutNotedTrunk(bare.replace(BETWEEN_DIGITS, ''))
		?.replace(/[()]/g, '')
		.replace(AFTER_AREA_CODE, '$1');
	if (compact === undefined) return written;
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

/** +44 (0)20 without the 0; undefined where it is not known whether it belongs to the number. */
function withoutNotedTrunk(digits: string): string | undefined {
	const [noted = '', before = '', code = ''] = NOTED_TRUNK.exec(digits) ?? [];
	if (noted === '' || ZERO_BELONGS.has(code)) return digits;
	return ZERO_TRUNK.has(code) ? before + digits.slice(noted.length) : undefined;
}

/**
 * +55 (011) is how numbers of Brazil are noted, where no area code begins with a 0. Elsewhere one may belong to the
 * number.
 */
function withoutTrunk(digits: string): string {
	const national = /^550([1-9]\d+)$/.exec(digits)?.[1] ?? '';
	return PLANS['55'].national.test(national) ? `55${national}` : digits;
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
	const { trunk = '' } = plan;
	const readings = [
		digits,
		...(trunk && digits.startsWith(trunk) ? [digits.slice(trunk.length)] : []),
		...(digits.startsWith(countryCode) ? [digits.slice(countryCode.length)] : []),
	];
	const numbers = new Set(readings.filter((reading) => plan.national.test(reading)));
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
