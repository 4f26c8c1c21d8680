/**
 * Finds the calling code of phones that have none by the column with the country of their person: "País", `billing.country`. Pure.
 */
import { compact, deburr, memoize, once, takeWhile, uniq } from 'lodash';

import { COUNTRY, FILLERS, OF_RESIDENCE, OTHER_COUNTRY_NAMES } from '../lexicon/headings';
import { PHONE_PLANS } from '../values/phonePlans';
import { isNoEntry, isPlaceholder } from '../values/words';
import type { Cell } from './cell';
import type { Column } from './cells';
import { isHead, isPhrase, meaningOf, PEOPLE, wordsOf } from './headings';
import { rememberByPath } from './remember';

const LANGUAGES = ['pt', 'pt-PT', 'es', 'en'];
const STYLES = ['long', 'short'] as const;

const lettersOf = (text: string) =>
	deburr(text)
		.toLowerCase()
		.replace(/[^\p{L}]/gu, '');

/** The calling codes of countries by their codes in ISO 3166, which come first, and their names. */
const codesByName = once(() => {
	const codes = new Map<string, string>();
	const regions = Object.entries(PHONE_PLANS).flatMap(([code, plan]) =>
		compact(plan?.regions?.split(' ')).map((region) => [region, code] as const),
	);
	for (const [region, code] of regions) codes.set(region.toLowerCase(), code);
	const add = (name: string | undefined, code = '') => {
		const letters = lettersOf(name ?? '');
		if (!codes.has(letters)) codes.set(letters, code);
	};
	for (const language of LANGUAGES)
		for (const style of STYLES) {
			const names = new Intl.DisplayNames([language], { type: 'region', style });
			for (const [region, code] of regions) add(names.of(region), code);
		}
	for (const [region, names] of Object.entries(OTHER_COUNTRY_NAMES))
		for (const name of names.split(', ')) add(name, codes.get(region));
	return codes;
});

/** The calling code of a country: `AR`, `Argentina`, `Argentina (+54)`, `AR - Argentina`; undefined if it is none. */
const codeOfCountry = memoize((text: string): string | undefined => {
	const written = /\+(\d{1,3})(?!\d)|^(\d{1,3})$/.exec(text);
	if (written) return [written[1] ?? written[2]].find((code) => PHONE_PLANS[code]);
	const parts = [[text], text.split(/\s[-–|]\s|[()/|,]/)];
	const found = parts.map((names) =>
		uniq(compact(names.map((name) => codesByName().get(lettersOf(name))))),
	);
	const [code, ...others] = found.find((codes) => codes.length > 0) ?? [];
	return others.length === 0 ? code : undefined;
});

const isOfCountry = rememberByPath((path): boolean => {
	const words = wordsOf(path[path.length - 1]);
	return (
		path.slice(0, -1).every(isHead) &&
		isPhrase(words, { needs: [COUNTRY], beside: [FILLERS, PEOPLE, OF_RESIDENCE] })
	);
});

/** `country_code: 'BR'` is the country, and no calling code. */
export const isCountryInLetters = ({ path, value }: Column): boolean =>
	meaningOf(path)?.field === 'countryCode' && /^\s*\p{L}/u.test(String(value));

/**
 * What the country beside a phone says of it. Of several columns, those count that stand nearest to it: `billing.country` for
 * `billing.phone`.
 */
export function diallingOf(phone: Column, all: Column[]): Cell['dialling'] {
	const countries = all.filter((column) => isOfCountry(column.path) || isCountryInLetters(column));
	const nearness = ({ keys }: Column) =>
		takeWhile(keys, (key, at) => key === phone.keys[at]).length;
	const nearest = Math.max(...countries.map(nearness));
	const found = countries
		.filter((column) => nearness(column) === nearest)
		.map(({ value }) => String([value].flat()[0]).trim())
		.filter((text) => !isNoEntry(text) && !isPlaceholder(text));
	if (found.length === 0) return {};
	const [countryCode, ...others] = uniq(found.map(codeOfCountry));
	return others.length === 0 && countryCode !== undefined
		? { countryCode }
		: { countryCode: undefined, unknownCountry: uniq(found).join(', ') };
}
