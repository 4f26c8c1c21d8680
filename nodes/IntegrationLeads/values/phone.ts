/** Converts phones, as people, WhatsApp and its APIs write them, to the international format (spec 2). Pure. */
import { deburr, last, range, sortBy } from 'lodash';

import { InputError } from '../userError';
import type { Convert, ConvertContext } from './context';
import { show, toIdentifier } from './convert';
import { AND, EXTENSION_WORDS, PHONE_KINDS } from '../lexicon/values';
import { PHONE_PLANS, type PhonePlan } from './phonePlans';

/** The longest texts with a phone are links to WhatsApp that hold a message as well. */
const MAX_PHONE_LENGTH = 5000;

/** The WhatsApp ID of a person; the number of a device may follow. */
const WHATSAPP_ID = /^([1-9]\d{6,14})(?::\d+)?@(?:s\.whatsapp\.net|c\.us)$/i;
/** A link that opens a chat with a person. */
const WHATSAPP_LINK =
	/^(?:https?:\/\/)?(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=)\+?([1-9]\d{6,14})(?=$|[/?&])/i;
/** The end of all WhatsApp IDs, which look like emails: of people, hidden numbers and groups. */
export const WHATSAPP_DOMAIN = /@(?:s\.whatsapp\.net|c\.us|(?:hosted\.)?lid|g\.us)$/i;
/** Meta writes `p:` before the phones of an exported lead form. */
const SCHEME = /^(?:whatsapp|tel|p):(?:\/\/)?/i;
/** Invisible characters that are copied with a number: marks of direction, zero-width ones, soft hyphens. */
const INVISIBLE = /\p{Cf}/gu;
/**
 * What people put between digits: spaces, points, hyphens and dashes. Not a slash: mostly a second number follows it, or
 * the last digits of one (3000-0001/2).
 */
const BETWEEN_DIGITS = /[\s.\-\u2010-\u2015\u2212]/g;
/** A slash that ends an area code, as people in Germany write it: +49 30/1234567. */
const AFTER_AREA_CODE = /^(\+?\d{1,6})\/(?=\d{5})/;
/** The place of a carrier's code, as Brazil writes it, also behind the country code: (0xx11), 0**11, +55 (0xx11). */
const CARRIER = /^(?<code>(?:\+|00)?55)?0(?:x{1,2}|\*{1,2})/i;
/** A phone that a program has stored as a number with decimals. */
const DECIMAL = /^(\+?\d{7,})\.0$/;
const INTERNATIONAL = /^(?:\+|00|\+00)([1-9]\d{6,14})$/;

/** How the United States write a number, which no other country does: (415) 555-2671, 415-555-2671, 415.555.2671. */
const US_FORM = /^(?:1[\s.-]?)?(?:\([1-9]\d\d\)[\s.-]*\d{3}[\s.-]+|[1-9]\d\d([.-])\d{3}\1)\d{4}$/;

/** A 0 in brackets, which is not dialled from abroad. */
const OPTIONAL_ZERO = /\(\s*0\s*\)/;

/** The longest local number, which lacks its area code. */
const MAX_LOCAL_DIGITS = 8;
/** The longest number with its country code (ITU-T E.164). */
const MAX_INTERNATIONAL_DIGITS = 15;

/**
 * Where the metadata of libphonenumber is not followed. Brazil: an area code of two digits without a 0, then a 9 with eight digits,
 * or eight digits, also where the 9 is still missing from a mobile number; or a code for services, before which the 0 is the trunk
 * prefix too, and may have the code of a carrier behind it. Mexico: the 1 behind the country code is in WhatsApp IDs, and the prefixes
 * are of before 2019.
 */
const OTHER_PLANS: Partial<Record<string, PhonePlan>> = {
	52: { lengths: [10, 11], numbers: /^1?[2-9]\d{9}$/, trunk: /^0(?:1|4[45])/ },
	55: {
		lengths: [9, 10, 11],
		numbers: /^(?:[1-9]{2}(?:[2-9]\d{7}|9\d{8})|[3589]00\d{7})$/,
		trunk: /^00?(?:[1-9]\d(?=\d{10,11}$))?/,
	},
};

const planOf = (countryCode: string) => OTHER_PLANS[countryCode] ?? PHONE_PLANS[countryCode];

/** Converts to a phone in international format; see {@link toInternational}. Throws InputError for any other text. */
export const toPhone: Convert = (value, context) => {
	const text = String(toIdentifier(value, context));
	const { label, countryCode, unknownCountry } = context;
	const phone = toInternational(text, countryCode) ?? mobileOfSeveral(text, context);
	if (phone !== undefined) {
		const extension = extensionOf(text);
		if (extension)
			context.onLeftOut?.(
				label,
				`${extension} is an extension of ${phone}, which is sent without it.`,
			);
		return phone;
	}
	// The IDs of people who hide their number, and of groups.
	if (WHATSAPP_DOMAIN.test(bareText(text))) {
		throw new InputError(
			`"${label}" is an ID of WhatsApp without a number: ${show(text)}`,
			'Give the phone of the sender, which another field may have, such as senderPn or participant, or leave it empty. The ID of a person can be the External ID.',
		);
	}
	const lacksCode = lacksCountryCode(text, countryCode);
	if (lacksCode && unknownCountry !== undefined) {
		throw new InputError(
			`"${label}" has no country code, and which country is meant is not known: ${show(text)}, ${show(unknownCountry)}`,
			howToWrite(),
		);
	}
	throw new InputError(
		`"${label}" ${lacksCode ? 'has no country code' : 'cannot be read as one phone number'}: ${show(text)}`,
		lacksCode && !countryCode
			? {
					all: howToWrite(),
					panel:
						'If your phones are written without it, but with the area code, enter it once, for Brazil 55, under "Default Country Code" in the credential.',
				}
			: howToWrite(lacksCode ? undefined : countryCode),
	);
};

/** How to write a phone so that it can be read. */
export const howToWrite = (countryCode?: string) =>
	countryCode
		? `Write it with its area code or, if it is not of country code ${countryCode}, with + and its own, e.g. +5511900000000.`
		: 'Write it with + and the country code, e.g. +5511900000000.';

/** Takes the first Brazilian mobile of several numbers, or else the first; the others are named. */
function mobileOfSeveral(
	text: string,
	{ label, countryCode, onLeftOut }: ConvertContext,
): string | undefined {
	if (text.length > MAX_PHONE_LENGTH) return undefined;
	const parts = text
		.replace(/\s(\p{L}+)(?=\s)/gu, (whole, word: string) => (isIn(AND, word) ? '\n' : whole))
		.split(/[/;,|\n]/);
	const phones = parts.flatMap((part) => wholeNumbers(part, countryCode));
	if (!onLeftOut || phones.length < 2 || phones.includes(undefined)) return undefined;
	const [first, ...others] = sortBy(phones, (phone) => !MOBILE_OF_BRAZIL.test(String(phone)));
	onLeftOut(label, `${others.join(', ')} is another phone than ${first}, which is sent.`);
	return first;
}

/** The most groups of digits in two numbers that stand side by side. */
const MAX_GROUPS = 12;

/**
 * The numbers in a text that has one, or two with nothing between them but white space and punctuation. They are told apart only
 * if there is one way to divide the text into whole numbers; undefined stands for what cannot be read.
 */
function wholeNumbers(text: string, countryCode?: string): Array<string | undefined> {
	const single = toInternational(text, countryCode);
	const groups = text.split(/\s+|(?<=\d)(?=[(+])/).filter((group) => /[\p{L}\d]/u.test(group));
	if (single !== undefined || groups.length < 2 || groups.length > MAX_GROUPS) return [single];
	const pairs = range(1, groups.length)
		.map((at) => [groups.slice(0, at), groups.slice(at)])
		.map((pair) => pair.map((part) => toInternational(part.join(' '), countryCode)));
	const whole = pairs.filter((pair) => !pair.includes(undefined));
	return whole.length === 1 ? whole[0] : [undefined];
}

/** Brazil's mobile numbers have a 9 before eight digits. */
export const MOBILE_OF_BRAZIL = /^\+55\d\d9\d{8}$/;

/** Whether a text is a number as it is written within a country, and the country is not known, or its plan is not. */
export const lacksCountryCode = (text: string, countryCode = '') =>
	/^0?\d{6,14}$/.test(compactText(numberIn(bareText(text)))) && !planOf(countryCode);

/**
 * A phone in international format with a leading + (spec 2), from a WhatsApp ID or from a number written with its
 * country code in any way. A number without one gets that of the default country, if there is one.
 *
 * @returns undefined for what is still unclear: a guess would reach somebody else
 */
export function toInternational(text: string, countryCode = ''): string | undefined {
	if (text.length > MAX_PHONE_LENGTH) return undefined;
	const bare = bareText(text);
	const [, whatsApp] = WHATSAPP_ID.exec(bare) ?? WHATSAPP_LINK.exec(bare) ?? [];
	if (whatsApp !== undefined) return toInternational(`+${whatsApp}`) ?? `+${whatsApp}`;
	const written = numberIn(bare);
	const compact = compactText(written);
	const international = INTERNATIONAL.exec(compact)?.[1];
	if (international === undefined) {
		if (!/^\d+$/.test(compact)) return undefined;
		if (countryCode !== '1' && US_FORM.test(written)) return undefined;
		return withCode(countryCode, nationalNumber(compact, countryCode));
	}
	const code = callingCodeOf(international);
	const number = international.slice(code.length);
	// In Italy, a number may be a landline with its 0 and a mobile without it.
	if (OPTIONAL_ZERO.test(written) && isOfPlan(number, code) && isOfPlan(number.slice(1), code))
		return undefined;
	const phone = withCode(code, numberAfterCode(number, code, 1));
	if (phone !== undefined) return phone;
	// Numbering plans change: what is written with a + is sent.
	const mayHaveTrunk = number.startsWith('0') || text.includes('(0');
	return compact.startsWith('+') && !mayHaveTrunk ? `+${international}` : undefined;
}

/** The country code that an international number begins with; empty if none is known. */
const callingCodeOf = (digits: string) =>
	[1, 2, 3].map((length) => digits.slice(0, length)).find(planOf) ?? '';

const withCode = (code: string, number: string | undefined) =>
	number !== undefined && code.length + number.length <= MAX_INTERNATIONAL_DIGITS
		? `+${code}${number}`
		: undefined;

/** What is written of a number, without the name of a kind of phone and an extension around it. */
function numberIn(bare: string): string {
	// Most phones; the expressions below take longer than all others together.
	if (/^[\d\s()+.-]*$/.test(bare)) return bare;
	return withoutKind(bare.replace(SCHEME, '')).replace(EXTENSION, (whole, ...found) =>
		isExtension(found) ? '' : whole,
	);
}

/** The kind of phone behind a number. The lookbehind keeps the time linear. */
const KIND = /(?<![\p{L}\s([-])[\s([-]*(\p{L}+(?: \p{L}+)?)[)\]\s]*$/u;
const withoutKind = (text: string) =>
	text.replace(KIND, (whole, words: string) =>
		words.split(' ').every((word) => isIn(PHONE_KINDS, word)) ? '' : whole,
	);

/** The extension of a number, or only the word for one: `ramal 12`, `x12`, `;ext=12`, `, 12`. */
const EXTENSION =
	/(?<=[\d)])(?:[\s,;(-]*(?:(\p{L}{3,})[.:=]?\s*(\d{0,7})|([\p{L}#]{1,2})[.:]?\s*(\d{1,7}))\)?|\s*[,;]+\s*(\d{1,5}))$/u;
/** Whether what was found has a word for an extension, or needs none. */
const isExtension = ([word, , short, , digits]: Array<string | undefined>) =>
	digits !== undefined || isIn(EXTENSION_WORDS, word ?? short ?? '');
const isIn = (table: Set<string>, word: string) => table.has(deburr(word).toLowerCase());

/** The digits of the extension behind a number; undefined if there is none. */
function extensionOf(text: string): string | undefined {
	const [, ...found] = EXTENSION.exec(withoutKind(bareText(text))) ?? [];
	return isExtension(found) ? [found[1], found[3], found[4]].find(Boolean) : undefined;
}

/** Whether a value has the form of a phone, with its area. */
export function isLikePhone(value: unknown): boolean {
	if (typeof value !== 'string' && typeof value !== 'number') return false;
	const text = bareText(String(value));
	if (text.length > MAX_PHONE_LENGTH) return false;
	return WHATSAPP_ID.test(text) || /^\+?\d{9,15}$/.test(compactText(text));
}

/** The digits of a number, without what people put between them. */
function compactText(written: string): string {
	return written
		.replace(DECIMAL, '$1')
		.replace(BETWEEN_DIGITS, '')
		.replace(/[()[\]]/g, '')
		.replace(CARRIER, '$<code>0')
		.replace(AFTER_AREA_CODE, '$1');
}

/** How spreadsheets mark text that would be a number or a formula: '+55 and ="+55". Outlook quotes addresses so. */
const TEXT_MARKS = /^=?['"\u2019]|['"\u2019]$/g;

/** A text without invisible characters, and without white space and quotes around it. */
export function bareText(text: string): string {
	return text.replace(INVISIBLE, '').trim().replace(TEXT_MARKS, '');
}

/**
 * The number within a country, of digits that are written without a +, so that they may have the country code or not. Undefined if
 * they can be read both ways, and if they may be a local number.
 */
function nationalNumber(digits: string, code: string): string | undefined {
	const plan = planOf(code);
	if (!plan) return undefined;
	const number = numberOfPlan(digits, code);
	const afterCode = digits.startsWith(code)
		? numberAfterCode(digits.slice(code.length), code, 1)
		: undefined;
	if (number === undefined) return afterCode;
	if (afterCode !== undefined && afterCode !== number) return undefined;
	// Where area codes are optional, they are written with a 0 before them.
	const lacksTrunk = number === digits && plan.trunk?.test('0');
	const hasLocalNumbers = Math.max(...plan.lengths) > MAX_LOCAL_DIGITS + 1;
	const mayBeLocal = lacksTrunk && hasLocalNumbers && digits.length <= MAX_LOCAL_DIGITS;
	return mayBeLocal ? undefined : number;
}

/**
 * The number behind a country code. People and programs may write the code twice; what is a number with it, such as one of area 55
 * in Brazil, keeps it.
 *
 * @param maxCodes how many more country codes may precede the number
 */
function numberAfterCode(digits: string, code: string, maxCodes: number): string | undefined {
	const number = numberOfPlan(digits, code);
	if (number !== undefined || maxCodes === 0 || !code || !digits.startsWith(code)) return number;
	return numberAfterCode(digits.slice(code.length), code, maxCodes - 1);
}

/** The digits if they are a number of the plan, as they are or without what is dialled before it within the country. */
function numberOfPlan(digits: string, code: string): string | undefined {
	if (isOfPlan(digits, code)) return digits;
	const { trunk = /^/, replacement = '' } = planOf(code) ?? {};
	const national = digits.replace(trunk, (...match) => {
		// As in libphonenumber, the replacement counts only where the last group of the prefix matched.
		const groups = match.slice(1, -2) as Array<string | undefined>;
		return last(groups) === undefined
			? ''
			: replacement.replace(/\$(\d)/g, (_, group: string) => groups[Number(group) - 1] ?? '');
	});
	return isOfPlan(national, code) ? national : undefined;
}

function isOfPlan(number: string, code: string): boolean {
	const plan = planOf(code);
	return plan !== undefined && plan.lengths.includes(number.length) && plan.numbers.test(number);
}

/**
 * The other way in which a mobile number may have been stored, for comparing. In Brazil a 9 was put after the area code of
 * all of them (2012 to 2016), and older records and WhatsApp IDs may lack it; numbers whose next digit is below 6 came
 * later and have no other form: without the 9 they would be landlines. Numbers of Argentina with a 9 and of Mexico with a
 * 1 after the country code are how they are dialled from abroad (Mexico's until 2019) and stand in WhatsApp IDs; within the
 * country neither is written. Which of the two the service has is not known, so none is sent in place of what was given.
 *
 * @param phone in international format
 * @returns none or one
 */
export function mobileVariants(phone: string): string[] {
	const [, prefix, digit, number] = MOBILE.map((form) => form.exec(phone)).find(Boolean) ?? [];
	if (number === undefined) return [];
	const added = prefix === '+52' ? '1' : '9';
	return [`${prefix}${digit ? '' : added}${number}`];
}

/** A mobile number of Brazil with the ninth digit, without which it is called no more; any other number as it is. */
export function withNinthDigit(phone: string): string {
	const [other = ''] = phone.startsWith('+55') ? mobileVariants(phone) : [];
	return other.length > phone.length ? other : phone;
}

const MOBILE = [
	/^(\+55[1-9]{2})(9?)([6-9]\d{7})$/,
	/^(\+54)(9?)([1-3]\d{9})$/,
	/^(\+52)(1?)([2-9]\d{9})$/,
];
