/** Converts phones, as people, WhatsApp and its APIs write them, to the international format (spec 2). Pure. */
import { sortBy } from 'lodash';

import { InputError } from '../userError';
import type { Convert, ConvertContext } from './context';
import { show, toIdentifier } from './convert';

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
/** The kind of phone, written after the number. The lookbehind keeps the time linear. */
const KIND =
	/(?<![\s([-])[\s([-]*\b(?:whats\s?app|whats|wpp|zap|cel(?:ular)?|m[oó]vel|m[oó]vil|mobile|fixo)[)\]\s]*$/i;
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
/** A country code before a number that has it already: +55 +55 11 98765-4321. */
const REPEATED_CODE = /^\+(\d{1,3})(?=\+\1)/;
/** Digits, signs and letters as wide as a Chinese character, which keyboards in East Asia write. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
/** A phone that a program has stored as a number with decimals. */
const DECIMAL = /^(\+?\d{7,})\.0$/;
const INTERNATIONAL = /^(?:\+|00|\+00)([1-9]\d{6,14})$/;

/** All country codes of one and two digits; the others have three (ITU-T E.164). */
const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;
/** Countries in which the 0 is dialled from abroad as well, such as Italy (`italian_leading_zero` in libphonenumber). */
const ZERO_BELONGS = '39 47 225 226 227 229 241 242 267 268 378 501 676 679 687 853 992'.split(' ');

/**
 * Numbering plans registered with ITU-T under E.164, of the markets whose numbers are read without a country code. Of all others,
 * what has a country code is read. Brazil: an area code of two digits without a 0, then a 9 with eight digits, or eight digits; or
 * a code for services, before which the 0 is the trunk prefix too.
 *
 * For each country code: the numbers without it, and what is dialled before them within the country.
 */
const PLANS: Record<string, [national: RegExp, trunk?: RegExp]> = {
	'1': [/^[2-9]\d{9}$/, /^1/],
	'34': [/^\d{9}$/],
	'351': [/^\d{9}$/],
	'44': [/^(?:[1-9]\d{9}|1\d{8}|800\d{6})$/, /^0/],
	'51': [/^(?:9\d{8}|[14-8]\d{7})$/, /^0/],
	'52': [/^1?[2-9]\d{9}$/],
	// 15 and eight digits are a mobile number without its area code.
	'54': [/^(?:9?(?:11|[23]\d)\d{8}|[68]00\d{7})$/, /^0/],
	'55': [/^(?:[1-9]{2}(?:[2-9]\d{7}|9\d{8})|[3589]00\d{7})$/, /^0+/],
	'56': [/^\d{9}$/],
	'57': [/^[369]\d{9}$/],
	'598': [/^[1-9]\d{7}$/, /^0/],
	// Russia and Kazakhstan.
	'7': [/^[3-9]\d{9}$/, /^8/],
};

/** Converts to a phone in international format; see {@link toInternational}. Throws InputError for any other text. */
export const toPhone: Convert = (value, context) => {
	const text = String(toIdentifier(value, context));
	const { label, countryCode } = context;
	const phone = toInternational(text, countryCode) ?? mobileOfSeveral(text, context);
	if (phone !== undefined) return phone;
	// The IDs of people who hide their number, and of groups.
	if (WHATSAPP_DOMAIN.test(bareText(text))) {
		throw new InputError(
			`"${label}" is an ID of WhatsApp without a number: ${show(text)}`,
			'Give the phone of the sender, which another field may have, such as senderPn or participant, or leave it empty. The ID of a person can be the External ID.',
		);
	}
	const lacksCode = lacksCountryCode(text, countryCode);
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

/** What stands between two numbers in a cell. */
const AND = /[/;,|\n]|\s(?:ou|e|or|and|o|y)\s/i;

/** Takes the first Brazilian mobile of several numbers, or else the first; the others are named. */
function mobileOfSeveral(
	text: string,
	{ label, countryCode, onLeftOut }: ConvertContext,
): string | undefined {
	if (text.length > MAX_PHONE_LENGTH) return undefined;
	const phones = text.split(AND).map((part) => toInternational(part, countryCode));
	if (!onLeftOut || phones.length < 2 || phones.includes(undefined)) return undefined;
	const [first, ...others] = sortBy(phones, (phone) => !MOBILE_OF_BRAZIL.test(String(phone)));
	onLeftOut(label, `${others.join(', ')} is another phone than ${first}, which is sent.`);
	return first;
}

/** Brazil's mobile numbers have a 9 before eight digits. */
export const MOBILE_OF_BRAZIL = /^\+55\d\d9\d{8}$/;

/** Whether a text is a number as it is written within a country, and the country is not known, or its plan is not. */
export const lacksCountryCode = (text: string, countryCode = '') =>
	/^0?\d{6,14}$/.test(compactText(text)) && !PLANS[countryCode];

/**
 * A phone in international format with a leading + (spec 2), from a WhatsApp ID or from a number written with its
 * country code in any way. A number without one gets that of the default country, if there is one.
 *
 * @returns undefined for what is still unclear: a guess would reach somebody else
 */
export function toInternational(text: string, countryCode = ''): string | undefined {
	if (text.length > MAX_PHONE_LENGTH) return undefined;
	const bare = bareText(text).replace(SCHEME, '');
	const [, whatsApp] = WHATSAPP_ID.exec(bare) ?? WHATSAPP_LINK.exec(bare) ?? [];
	if (whatsApp !== undefined) return toInternational(`+${whatsApp}`) ?? `+${whatsApp}`;
	const compact = compactText(text);
	const international = INTERNATIONAL.exec(compact)?.[1];
	if (international === undefined) {
		if (!/^\d+$/.test(compact)) return undefined;
		const number = nationalNumber(compact, countryCode, 2);
		return number && `+${countryCode}${number}`;
	}
	const [code = ''] = COUNTRY_CODE.exec(international) ?? [];
	const number = international.slice(code.length);
	const mayHaveTrunk = number.startsWith('0') || text.includes('(0');
	const reading = nationalNumber(number, code, 1);
	if (reading !== undefined) return `+${code}${reading}`;
	// Numbering plans change: what is written with a + is sent.
	const isWhole = mayHaveTrunk
		? ZERO_BELONGS.includes(code)
		: !PLANS[code] || compact.startsWith('+');
	return isWhole ? `+${international}` : undefined;
}

/** Whether a value has the form of a phone, with its area. */
export const isLikePhone = (value: unknown) =>
	(typeof value === 'string' || typeof value === 'number') &&
	String(value).length <= MAX_PHONE_LENGTH &&
	/^\+?\d{9,15}$/.test(compactText(String(value)));

/** The digits of a number, without what people put between them. */
function compactText(text: string): string {
	return bareText(text)
		.replace(SCHEME, '')
		.replace(KIND, '')
		.replace(DECIMAL, '$1')
		.replace(BETWEEN_DIGITS, '')
		.replace(/[()[\]]/g, '')
		.replace(CARRIER, '$<code>0')
		.replace(REPEATED_CODE, '')
		.replace(AFTER_AREA_CODE, '$1');
}

/** How spreadsheets mark text that would be a number or a formula: '+55 and ="+55". Outlook quotes addresses so. */
const TEXT_MARKS = /^=?['"\u2019]|['"\u2019]$/g;

/** A text without invisible characters, without white space and quotes around it, and without full-width characters. */
export function bareText(text: string): string {
	return text
		.replace(INVISIBLE, '')
		.replace(FULL_WIDTH, (each) => each.normalize('NFKC'))
		.trim()
		.replace(TEXT_MARKS, '');
}

/**
 * The number within a country whose numbering plan is known: the digits as they are, without what is dialled before them
 * within the country, or without the country code. People and programs may write the code twice; what is a number with it,
 * such as one of area 55 in Brazil, keeps it.
 *
 * @param maxCodes how many country codes may precede the number
 */
function nationalNumber(digits: string, code: string, maxCodes: number): string | undefined {
	if (!PLANS[code]) return undefined;
	const [national, trunk = /^/] = PLANS[code];
	const reading = [digits, digits.replace(trunk, '')].find((each) => national.test(each));
	if (reading !== undefined || maxCodes === 0 || !digits.startsWith(code)) return reading;
	return nationalNumber(digits.slice(code.length), code, maxCodes - 1);
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
	const [, before, digit, number] = MOBILE.map((form) => form.exec(phone)).find(Boolean) ?? [];
	if (number === undefined) return [];
	const added = before === '+52' ? '1' : '9';
	return [`${before}${digit ? '' : added}${number}`];
}

const MOBILE = [
	/^(\+55[1-9]{2})(9?)([6-9]\d{7})$/,
	/^(\+54)(9?)([1-3]\d{9})$/,
	/^(\+52)(1?)([2-9]\d{9})$/,
];
