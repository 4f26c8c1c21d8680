/** Finds the ad that a lead form came from, and refuses the test leads of ad platforms. Pure. */
import { difference, isEqual, map, partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../userError';
import { show } from '../values/convert';
import type { Column } from './cells';
import { keyOf } from './headings';
import { rememberByPath } from './remember';
import {
	AD_KEYS,
	BESIDE_AD,
	BESIDE_LEAD_ID,
	OF_ANY_FORM,
	TEST_LEAD,
	TEST_VALUE,
} from '../lexicon/headings';

const keyIn = ({ path }: Column) => keyOf(path.at(-1) ?? '');
/** The campaign of a link: it is kept with the ad, but stays an answer, and does not make a form that of an ad. */
const OF_LINK = 'utm_campaign';
const AD_NAMES = new Map([...Object.entries(AD_KEYS), [keyOf(OF_LINK), OF_LINK]]);
/** What a column says of the ad: `ad_id`, or `id` in an object `ad`. */
const adKeyIn = rememberByPath((path) =>
	[path.slice(-1), path.slice(-2)].map((keys) => AD_NAMES.get(keyOf(keys.join('')))).find(Boolean),
);

/** The ID of a lead as Meta writes it; its exports have a prefix, see `clickIdOf` in conversion/sale.ts. */
const META_ID = /^(?:l:)?\d{15,17}$/;
/** Whether an ID is that of the lead: it stands beside the answers or the ad of a form of Meta. */
const isLeadId = ({ keys, value }: Column, all: Column[]) =>
	META_ID.test(String(value)) &&
	keyOf(keys.at(-1) ?? '') === 'id' &&
	all.some(
		(other) =>
			isEqual(other.keys.slice(0, keys.length - 1), keys.slice(0, -1)) &&
			BESIDE_LEAD_ID.has(keyOf(other.keys[keys.length - 1])),
	);

export interface AdOfForm {
	/** The ad as metadata of an interaction; empty if there is none. */
	ad: IDataObject;
	/** The columns of the ad, and those beside it, that no person answered. */
	columns: Column[];
	beside: Column[];
}

/** Finds what a row has of its ad: clicks, ads, campaigns and forms. */
export function adIn(all: Column[]): AdOfForm {
	const named = all.flatMap((column) => {
		const name = adKeyIn(column.path) ?? (isLeadId(column, all) ? AD_KEYS.leadgenid : undefined);
		return name === undefined ? [] : [{ column, name }];
	});
	const [link, ofAd] = partition(named, { name: OF_LINK });
	const columns = map(ofAd, 'column');
	const kept = (entries: typeof named) =>
		Object.fromEntries(entries.map(({ column, name }) => [name, column.value])) as IDataObject;
	// A form's own ID and name do not make it the form of an ad.
	if (ofAd.every(({ name }) => OF_ANY_FORM.has(name)))
		return { ad: kept(link), columns: [], beside: columns };
	const beside = difference(all, columns).filter((column) => BESIDE_AD.has(keyIn(column)));
	return { ad: kept(named), columns, beside };
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
