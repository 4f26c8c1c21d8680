/** Decides between two ways of reading a value, such as 03/04/2026 and 1.500, by what other values plainly show. Pure. */

/** Of two ways of writing, those that values plainly show: an example of each. */
export type Shown = Map<boolean, string>;

/**
 * Decides how a value is written that can be read in two ways: as the column shows, or else as is usual in the country.
 *
 * @returns undefined if it is not known, or if the column shows both
 */
export const chooseWay = (shown: Shown | undefined, ofCountry?: boolean): boolean | undefined => {
	const [way, ...others] = shown?.keys() ?? [];
	return others.length > 0 ? undefined : (way ?? ofCountry);
};

/** How to make plain what can be read in two ways: the rows that contradict each other, or the country. */
export const howToDecide = (shown: Shown | undefined): string =>
	shown && shown.size > 0
		? `Write the whole column in one way: it has ${[...shown.values()].map((text) => `"${text}"`).join(' and ')} as well.`
		: 'Or set "Default Country Code" in the credential.';
