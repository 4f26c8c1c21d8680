/**
 * Narrows a long list down to the records that may be what an item sent: comparing each of many items with each record takes
 * seconds. It leaves out only what {@link mayBe} of sameRecord.ts rules out. Pure.
 */
import { isObject, memoize, minBy, sumBy, uniq } from 'lodash';

import { parseTime } from '../contract/age';
import type { ServiceRecord } from '../contract/envelope';
import { isBlank } from '../values/convert';
import type { Listing } from './plan';

/** Services cut longer texts only. */
export const SHORTEST_CUT = 50;
/** With the end that all forms of a phone share. */
export const PHONE = /^\d*(\d{8})$/;
/** What of a text may be all that is shown of it. */
const BEGINNING = 30;

/** Texts in the forms in which they are compared. */
type FormsOf = (text: string) => string[];

export class RecordIndex {
	/** Positions of records by a key of the field, and of those that may have any value in it. */
	private readonly indexOf = memoize((name: string) => {
		const index = { byKey: new Map<string, number[]>(), any: [] as number[] };
		for (const [position, record] of this.records.entries()) {
			const keys = this.keysOfShown(record[name]);
			for (const key of keys ?? []) {
				const same = index.byKey.get(key);
				if (same) same.push(position);
				else index.byKey.set(key, [position]);
			}
			if (!keys) index.any.push(position);
		}
		return index;
	});

	constructor(
		private readonly records: ServiceRecord[],
		private readonly formsOf: FormsOf,
	) {}

	/** In their order. */
	candidatesFor({ body, comparable }: Listing['sent']): ServiceRecord[] {
		const choices = comparable.flatMap((name) => {
			const keys = this.keysOfSent(body[name]);
			if (!keys) return [];
			const { byKey, any } = this.indexOf(name);
			return [[any, ...keys.map((key) => byKey.get(key) ?? [])]];
		});
		const fewest = minBy(choices, (lists) => sumBy(lists, 'length'));
		if (!fewest) return this.records;
		const positions = uniq(fewest.flat()).sort((one, other) => one - other);
		return positions.map((position) => this.records[position]);
	}

	/** Undefined where a record may show it in any form: nothing, an object, or a time, which may be a number. */
	private keysOfSent(value: unknown): string[] | undefined {
		if (isBlank(value) || isObject(value) || !Number.isNaN(parseTime(value))) return undefined;
		const beginnings = this.lettersOf(value).map((letters) => beginningOf(letters));
		return [...this.keysOf(value), ...beginnings];
	}

	private keysOfShown(value: unknown): string[] | undefined {
		if (value === undefined || isObject(value)) return undefined;
		if (String(value).length < SHORTEST_CUT) return this.keysOf(value);
		const all = this.lettersOf(value);
		if (all.some((letters) => letters.length < BEGINNING)) return undefined;
		return [...this.keysOf(value), ...all.map((letters) => beginningOf(letters))];
	}

	private keysOf(value: unknown): string[] {
		const forms = this.lettersOf(value);
		const [, phone] = PHONE.exec(forms[0]) ?? [];
		const number = Number(value);
		return [
			...forms.map((letters) => `text ${letters}`),
			...(phone === undefined ? [] : [`phone ${phone}`]),
			...(Number.isNaN(number) ? [] : [`number ${number}`]),
		];
	}

	private lettersOf(value: unknown): string[] {
		return this.formsOf(String(value ?? ''));
	}
}

const beginningOf = (letters: string) => `beginning ${letters.slice(0, BEGINNING)}`;
