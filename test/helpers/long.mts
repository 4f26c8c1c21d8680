/**
 * What only `npm run test:long` runs: fresh draws of every property and many more of them, long lives, large accounts, last
 * variants, and what n8n's linter says of the assembled panel. `npm test` shows these cases as skipped.
 */

/** What the command sets; in `npm test`, nothing. */
const { LONG_DRAWS, LONG_SEED, LONG_PATH } = process.env;

/** How many draws a property has unless it says otherwise. */
const USUAL_DRAWS = 100;

const isLong = LONG_DRAWS !== undefined;

/** The draws of a property that says nothing, and where they begin: in `npm test` always the same. */
export const propertySettings = {
	numRuns: isLong ? Number(LONG_DRAWS) : USUAL_DRAWS,
	seed: Number(LONG_SEED ?? 20_260_302),
	...(LONG_PATH === undefined ? {} : { path: LONG_PATH }),
};

/**
 * The number of draws of a property that needs more than the usual 100, or is too slow for them. The long run has as many
 * times more of them as of the others.
 */
export const draws = (count: number): number =>
	Math.ceil((count * propertySettings.numRuns) / USUAL_DRAWS);

/** Rows of a table that only the long run has. */
export const onlyLong = <Row,>(rows: readonly Row[]): readonly Row[] => (isLong ? rows : []);

export const itLong = isLong ? it : it.skip;
