/** How a converter is called. */
import type { IDataObject } from 'n8n-workflow';

import type { InputError } from '../userError';

/**
 * Converts a user's value to what is sent.
 *
 * @throws InputError naming the field
 */
export type Convert = (value: unknown, context: ConvertContext) => unknown;

export interface ConvertContext {
	/** The parameter's label, for messages. */
	label: string;
	/** The workflow's, for dates without one. */
	timezone: string;
	/** Digits, for phones without a country code. */
	countryCode?: string;
	/** Whether 03/04/2026 is 3 April or 4 March. */
	dayFirst?: boolean;
	/** Whether 1.500 is 1500 or 1.5. */
	commaDecimals?: boolean;
	/** The values are arguments of an AI agent: one that is blank or a placeholder was not given. */
	tool?: boolean;
	/** The input item, for parameters that map its fields by name. */
	input?: IDataObject;
	/** Called with the names of input fields that are not sent. */
	onUnsent?: (fields: string[]) => void;
	/** Takes the other answers of a form, in words. Without it, they are not sent either. */
	onAnswers?: (answers: string) => void;
	/** Called with the label of a field whose value is left out, and why. */
	onLeftOut?: (label: string, reason: string) => void;
	/** Receives emails and phones of people that cannot be read: they are left out if something else identifies the lead. */
	unreadable?: Array<{ label: string; value: unknown; mistake: InputError }>;
	/** What the user set under Options, unconverted. */
	options?: IDataObject;
	/** Receives the mistakes in the fields of a value, so that all are named at once. */
	mistakes?: InputError[];
}
