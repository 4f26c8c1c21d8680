/** Knows the documented values of status, priority and source as spreadsheets in English, Portuguese and Spanish write them. Pure. */
import { documentedValues } from '../contract/records';
import { isSameWord } from '../values/words';

type DocumentedField = keyof typeof documentedValues;

/** The values that a column may have. The counterpart of `closed_won` is assumed: the spec lists only values that it saw (2). */
const VALUES: Record<DocumentedField, string[]> = {
	...documentedValues,
	status: [...documentedValues.status, 'closed_lost'],
};

/** Other words for a value; the first of them is shown. */
const SYNONYMS: Record<string, string> = {
	open: 'Aberto, Aberta, Em aberto, Abierto, Abierta, Novo, Nova, Nuevo, Nueva, New',
	in_progress: 'Em andamento, Em progresso, En curso, En progreso, En proceso',
	closed_won: 'Ganho, Ganha, Ganado, Ganada, Fechado ganho, Cerrado ganado, Won',
	closed_lost: 'Perdido, Perdida, Fechado perdido, Cerrado perdido, Lost',
	medium: 'Média, Médio, Media, Medio',
	high: 'Alta, Alto',
};

const wordsFor = (value: string) => SYNONYMS[value]?.split(', ') ?? [];

/** @returns the value as the service writes it; undefined if it is none of them */
export const documentedFrom = (field: DocumentedField, text: string): string | undefined =>
	VALUES[field].find((value) => [value, ...wordsFor(value)].some((word) => isSameWord(word, text)));

/** The values of a field in a sentence: `open (Aberto), in_progress (Em andamento)`. */
export const documentedIn = (field: DocumentedField): string =>
	VALUES[field]
		.map((value) =>
			[
				value,
				...wordsFor(value)
					.slice(0, 1)
					.map((word) => `(${word})`),
			].join(' '),
		)
		.join(', ');

export const isListed = (field: string): field is DocumentedField => field in documentedValues;
