/** Options on how users write phones, dates and numbers; values/conventions.ts reads them. */
import type { Parameter } from '../operation';

export const defaultCountryCode: Parameter = {
	displayName: 'Default Country Code',
	name: 'defaultCountryCode',
	type: 'string',
	default: '55',
	placeholder: 'e.g. 55',
	description:
		'For phones without a country code: with 55, (11) 90000-0000 becomes +5511900000000. It also settles how dates and numbers are written, if the country has one way. Overrides that of the credential.',
};

/** For a date. */
export const datesAreWritten: Parameter = {
	displayName: 'Dates Are Written',
	name: 'datesAreWritten',
	type: 'options',
	options: [
		{ name: 'Day First', value: 'dayFirst', description: '31/12/2026' },
		{ name: 'Month First', value: 'monthFirst', description: '12/31/2026' },
	],
	default: 'dayFirst',
	description:
		'How to read dates such as 03/04/2026. Without this option and a country code, such a date is refused. 2026-04-03 is always understood.',
};

const numbersAreWritten: Parameter = {
	displayName: 'Numbers Are Written',
	name: 'numbersAreWritten',
	type: 'options',
	options: [
		{ name: 'With Decimal Comma', value: 'commaDecimals', description: '1.500,00' },
		{ name: 'With Decimal Point', value: 'pointDecimals', description: '1,500.00' },
	],
	default: 'commaDecimals',
	description:
		'How to read text such as 1.500. Without this option and a country code, such a number is refused. 1500.50 is always understood.',
};

/** For values of which each is left out or sent. */
export const unreadable: Parameter = {
	displayName: 'Values That Cannot Be Read',
	name: 'unreadable',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'The item fails and nothing of it is sent' },
		{
			name: 'Leave Out',
			value: 'leaveOut',
			description: 'All else is sent, and "leftOut" in the output names the field and its value',
		},
	],
	default: 'fail',
	description:
		'What to do with a phone, email, date, amount, status, priority or source that cannot be read. An ID is never left out.',
};

/** For the fields of a contact. */
export const contactValueOptions: Parameter[] = [defaultCountryCode, unreadable];

/** For the fields of a lead. */
export const leadValueOptions: Parameter[] = [
	...contactValueOptions,
	datesAreWritten,
	numbersAreWritten,
];
