/** Finds the ad that a lead form came from, and refuses the test leads of ad platforms. Pure. */
import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../userError';
import { show } from '../values/convert';
import type { Column } from './cells';
import { keyOf } from './headings';
import { AD_KEYS, BESIDE_AD, FORM_KEYS, TEST_LEAD, TEST_VALUE } from '../lexicon/headings';

const keyIn = ({ path }: Column) => keyOf(path.at(-1) ?? '');

interface AdOfForm {
	/** The ad as metadata of an interaction; empty if there is none. */
	ad: IDataObject;
	/** The columns of the ad, and those beside it, that no person answered. */
	columns: Column[];
	beside: Column[];
}

/** Finds what a row has of its ad: clicks, ads, campaigns and forms. */
export function adIn(all: Column[]): AdOfForm {
	const isPlain = ({ value }: Column) => typeof value === 'string' || typeof value === 'number';
	const columns = all.filter((column) => isPlain(column) && Object.hasOwn(AD_KEYS, keyIn(column)));
	// A form's own ID and name do not make it the form of an ad.
	if (columns.every((column) => FORM_KEYS.has(keyIn(column))))
		return { ad: {}, columns: [], beside: columns };
	const entries = columns.map((column) => [AD_KEYS[keyIn(column)], column.value] as const);
	const beside = all.filter((column) => BESIDE_AD.has(keyIn(column)));
	return { ad: Object.fromEntries(entries) as IDataObject, columns, beside };
}

/** @throws InputError for a lead that a platform sends to test the connection */
export function refuseTestLead(columns: Column[]): void {
	const test = columns.find(
		(column) =>
			(TEST_LEAD.has(keyIn(column)) && String(column.value) === 'true') ||
			[column.value].flat().some((value) => TEST_VALUE.test(String(value))),
	);
	if (!test) return;
	throw new InputError(
		`It is a test lead of the ad platform: "${test.heading}" is ${show(test.value)}`,
		'The connection works. Nothing was recorded for it.',
	);
}
