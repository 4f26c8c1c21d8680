/** Knows the documented values of status, priority and source as spreadsheets in English, Portuguese and Spanish write them. Pure. */
import { compact } from 'lodash';

import { documentedValues } from '../contract/records';
import { isSameWord } from '../values/words';

type DocumentedField = keyof typeof documentedValues;

/** The values that a column may have. The counterpart of `closed_won` is assumed: the spec lists only values that it saw (2). */
const VALUES: Record<DocumentedField, string[]> = {
	...documentedValues,
	status: [...documentedValues.status, 'closed_lost'],
};

/** Words for a value in Portuguese and Spanish; the first of them is shown. */
const TRANSLATIONS: Record<string, string> = {
	open: 'Aberto, Aberta, Em aberto, Abierto, Abierta, Novo, Nova, Nuevo, Nueva',
	in_progress: 'Em andamento, Em progresso, En curso, En progreso, En proceso',
	closed_won: 'Ganho, Ganha, Ganado, Ganada, Fechado ganho, Cerrado ganado',
	closed_lost: 'Perdido, Perdida, Fechado perdido, Cerrado perdido',
	medium: 'Média, Médio, Media, Medio',
	high: 'Alta, Alto',
};

/** Other English words. */
const SYNONYMS: Record<string, string> = { open: 'New', closed_won: 'Won', closed_lost: 'Lost' };

const translationsOf = (value: string) => TRANSLATIONS[value]?.split(', ') ?? [];

/** @returns the value of which a text is a Portuguese or Spanish word; undefined if it is none */
export const translatedFrom = (field: DocumentedField, text: string): string | undefined =>
	VALUES[field].find((value) => translationsOf(value).some((word) => isSameWord(word, text)));

/** @returns the value as the service writes it; undefined if it is none of them */
export const documentedFrom = (field: DocumentedField, text: string): string | undefined =>
	VALUES[field].find((value) =>
		compact([value, SYNONYMS[value], ...translationsOf(value)]).some((word) =>
			isSameWord(word, text),
		),
	);

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
