/** Defines how a converter is called, and parses how people of a country write phones, dates and numbers. Pure. */
import type { IDataObject } from 'n8n-workflow';

import type { Shown } from '../dates/twoWays';
import { InputError } from '../userError';
import { PHONE_PLANS } from './phonePlans';

/**
 * Converts a user's value to what is sent.
 *
 * @throws InputError naming the field
 */
export type Convert<T = unknown> = (value: unknown, context: ConvertContext) => T;

/** The code of a tracking link. */
export interface CodeForm {
	/** In capitals, with plain hyphens and without invisible characters. */
	code: string;
	/** With plain hyphens as well. It counts only where no lead has the code in capitals. */
	written: string;
}

/** What is found in the texts and rows of an item, apart from the values of its parameters. */
export interface Extracted {
	/** The columns and answers that are not fields of a lead, in words. */
	answers?: string;
	/** Whether they are those of a visitor of a form, who cannot be asked, and not the other columns of a row. */
	isForm?: boolean;
	/** The ad of a form, as *Get Conversions* reads it. */
	ad?: IDataObject;
	/** The tracking codes of a field, if there are several or one may be written in lower case. */
	codes?: CodeForm[];
}

export interface ConvertContext {
	/** The parameter's label, for messages. */
	label: string;
	/** The workflow's, for dates without one. */
	timezone: string;
	/** When the run began, in ms since the epoch. Without it, no date is too late. */
	now?: number;
	/** Digits, for phones without a country code. */
	countryCode?: string;
	/** The country of the person in words that name none. A phone without a country code cannot be read then. */
	unknownCountry?: string;
	/** Whether 03/04/2026 is 3 April or 4 March. */
	dayFirst?: boolean;
	/** Whether 1.500 is 1500 or 1.5. */
	commaDecimals?: boolean;
	/** How the rows of the column write dates and amounts, where one can be read in one way only. It comes before the country. */
	shown?: { dayFirst: Shown; commaDecimals: Shown };
	/** The values are arguments of an AI agent: one that is blank or a placeholder was not given. */
	tool?: boolean;
	/** The input item, for parameters that map its fields by name. */
	input?: IDataObject;
	/** The input items of the run, to tell a column that this item lacks from one that none has. */
	inputs?: IDataObject[];
	/** Called with the names of input fields that are not sent. */
	onUnsent?: (fields: string[]) => void;
	/**
	 * Called with the headings of columns that may rule out a sale, or have another value, in words that are not known, and whether
	 * another column says that it is paid.
	 */
	onUnjudged?: (headings: string[], isPlain?: boolean) => void;
	/**
	 * Takes the columns and answers that are not fields of a lead, in words, and whether they are of a form. Without it, they are
	 * not sent either.
	 */
	onAnswers?: (answers: string, isForm: boolean) => void;
	/** Called with the names of those columns and answers, first those that look like a field. */
	onNoted?: (fields: string[]) => void;
	/** Takes the ad that a lead form came from, as metadata of the interaction with the answers. */
	onAd?: (ad: IDataObject) => void;
	/** Takes the tracking codes of a text of which the service may know one: it has to be asked which. */
	onCodes?: (forms: CodeForm[]) => void;
	/** Receives a documented value, and the other word of a column for it. */
	onTranslated?: (value: string, word: string) => void;
	/** Called with the label of a field whose value is left out, and why. */
	onLeftOut?: (label: string, reason: string) => void;
	/** Called with the heading of a value and its field. `byValue`: its form decided, since its heading means no field. */
	onRead?: (heading: string, field: string, byValue: boolean) => void;
	/** Receives emails and phones of people that cannot be read: they are left out if something else identifies the lead. */
	unreadable?: Array<{ label: string; value: unknown; mistake: InputError }>;
	/** What the user set under Options, unconverted. */
	options?: IDataObject;
	/** Receives the mistakes in the fields of a value, so that all are named at once. */
	mistakes?: InputError[];
}

/**
 * Country codes of countries that write dates in one way in all of their languages, by what they write before decimals
 * (Unicode CLDR 48). Of the countries with code 1 the United States count.
 */
const COMMA_DECIMAL_COUNTRIES = '33 34 39 49 54 55 56 57 58 351 591 593 595 598'.split(' ');
const POINT_DECIMAL_COUNTRIES = '1 44 51 52 353'.split(' ');

/**
 * @param setting the unconverted Default Country Code of the credential: `+55`, `0055`, `55`
 * @throws InputError naming the field
 */
export function parseConventions(
	setting: unknown,
): Pick<ConvertContext, 'countryCode' | 'dayFirst' | 'commaDecimals'> {
	const countryCode = String(setting ?? '').replace(/^\s*(\+|00)|\s/g, '');
	if (countryCode === '') return {};
	if (!PHONE_PLANS[countryCode]) {
		throw new InputError(
			`"Default Country Code" in the credential must be a country code, not "${countryCode}"`,
			{
				panel:
					'Give the digits that are dialled before a number from abroad, e.g. 55 for Brazil or 351 for Portugal.',
			},
		);
	}
	const commaDecimals = COMMA_DECIMAL_COUNTRIES.includes(countryCode);
	const isKnown = commaDecimals || POINT_DECIMAL_COUNTRIES.includes(countryCode);
	return { countryCode, ...(isKnown && { dayFirst: countryCode !== '1', commaDecimals }) };
}
