/** Knows the documented values of status, priority and source as spreadsheets in English, Portuguese and Spanish write them. Pure. */
import { compact, mapValues } from 'lodash';

import { documentedValues } from '../contract/records';
import { plainWord } from '../values/words';
import { ENGLISH_VALUES, SOLD_THING, VALUES_IN_WORDS } from '../lexicon/headings';

type DocumentedField = keyof typeof documentedValues;

/** The status of lost leads, the counterpart of the one of won leads. Assumed: the spec lists only values that it saw (2). */
export const LOST = 'closed_lost';

/** The values that a column may have. */
const VALUES: Record<DocumentedField, string[]> = {
	...documentedValues,
	status: [...documentedValues.status, LOST],
};

const translationsOf = (value: string) => VALUES_IN_WORDS[value]?.split(', ') ?? [];

/** The values of each field by their words. */
const valuesBy = (wordsFor: (value: string) => string[]) =>
	mapValues(VALUES, (values) => {
		const entries = values.flatMap((value) =>
			wordsFor(value).map((word) => [plainWord(word), value] as const),
		);
		return new Map(entries);
	});

const BY_TRANSLATION = valuesBy(translationsOf);
const BY_WORD = valuesBy((value) =>
	compact([value, ENGLISH_VALUES[value], ...translationsOf(value)]),
);

/** @returns the value of which a text is a Portuguese or Spanish word; undefined if it is none */
export const translatedFrom = (field: DocumentedField, text: string): string | undefined =>
	BY_TRANSLATION[field].get(plainWord(text));

/** @returns the value as the service writes it; undefined if it is none of them */
export const documentedFrom = (field: DocumentedField, text: string): string | undefined =>
	BY_WORD[field].get(plainWord(text.replace(SOLD_THING, '')));

/** The values of a field, also those that are assumed. */
export const knownValuesOf = (field: DocumentedField): string[] => VALUES[field];

/** The values of a field in a sentence: `open (Aberto), in_progress (Em andamento)`. */
export const documentedIn = (field: DocumentedField): string =>
	VALUES[field]
		.map((value) =>
			[
				value,
				...translationsOf(value)
					.slice(0, 1)
					.map((word) => `(${word})`),
			].join(' '),
		)
		.join(', ');

export const isListed = (field: string): field is DocumentedField => field in documentedValues;
