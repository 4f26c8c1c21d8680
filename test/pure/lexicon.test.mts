/** Reads each word of the lexicon through the reader, and compares docs/reading.md with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { toMappedLead } from '../../nodes/IntegrationLeads/columns/columns';
import { toSaleOfRow } from '../../nodes/IntegrationLeads/columns/saleRow';
import { meaningOf } from '../../nodes/IntegrationLeads/columns/headings';
import * as lexicon from '../../nodes/IntegrationLeads/lexicon/headings';
import * as sales from '../../nodes/IntegrationLeads/lexicon/sales';
import * as values from '../../nodes/IntegrationLeads/lexicon/values';
import { toUtc } from '../../nodes/IntegrationLeads/values/convert';
import { toPhone } from '../../nodes/IntegrationLeads/values/phone';
import { withWords } from '../../scripts/lib/lexiconTable.mts';

const EMAIL = 'ana@example.com';
const context = { label: 'Fields', timezone: 'UTC', countryCode: '55' };

/** The email that is taken from a row. */
const emailIn = (input: IDataObject) => {
	const mapping = { mappingMode: 'autoMapInputData', value: null };
	const { contact } = toMappedLead(mapping, { ...context, input }) as IDataObject;
	return (contact as IDataObject | undefined)?.email;
};
/** The documented value that is read of a word, under any of the headings of one. */
const valueOf = (word: string) => {
	const input = { 'Lead status': word, 'Lead source': word, 'Lead priority': word };
	const mapping = { mappingMode: 'autoMapInputData', value: null };
	const { status, source, priority } = toMappedLead(mapping, { ...context, input }) as IDataObject;
	return status ?? source ?? priority;
};
const notesOf = (input: IDataObject) => {
	let notes = '';
	const mapping = { mappingMode: 'autoMapInputData', value: null };
	toMappedLead(mapping, { ...context, input, onAnswers: (answers) => void (notes = answers) });
	return notes;
};
const isSold = (row: IDataObject) => {
	const input = { 'Data da venda': '2026-01-31', Valor: '100,00', 'E-mail': EMAIL, ...row };
	return (toSaleOfRow('columns', { ...context, input }) as IDataObject).notSold === undefined;
};
/** The words of a table for which something does not hold. */
const failing = (table: Iterable<string>, holds: (word: string) => boolean) =>
	[...table].filter((word) => !holds(word));

describe('each word of', () => {
	const fields = { ...lexicon.HEADINGS, ...lexicon.PARTS };
	it.each(Object.entries(fields))('%s', (field, headings) => {
		expect(failing(headings.split(', '), (each) => meaningOf([each])?.field === field)).toEqual([]);
	});

	it.each<[string, Iterable<string>, (word: string) => boolean]>([
		['fillers', lexicon.FILLERS, (word) => meaningOf([`Email ${word}`])?.field === 'email'],
		[
			'prefixes',
			Object.keys(lexicon.PREFIXES).filter((word) => lexicon.PREFIXES[word] === ''),
			(word) => meaningOf([`${word}_email`])?.field === 'email',
		],
		['buyers', lexicon.BUYER, (word) => meaningOf([word, 'email'])?.person === 'buyer'],
		['other roles', lexicon.OTHER_ROLES, (word) => meaningOf([`Email ${word}`])?.person === word],
		['persons', lexicon.PERSON, (word) => meaningOf([word, 'email'])?.field === 'email'],
		['containers', lexicon.CONTAINERS, (word) => meaningOf([word, 'email'])?.field === 'email'],
		['users', lexicon.USER, (word) => emailIn({ [word]: { email: EMAIL } }) === EMAIL],
		['shared', lexicon.SHARED, (word) => emailIn({ [`Email ${word}`]: EMAIL }) === EMAIL],
		[
			'other people',
			lexicon.OTHER_PEOPLE,
			(word) =>
				emailIn({ [`Email do ${word}`]: EMAIL }) === undefined &&
				emailIn({ [word]: { email: EMAIL } }) === undefined,
		],
		[
			'keys of values',
			lexicon.VALUE_KEYS,
			(word) => emailIn({ list: [{ label: 'E-mail', [word]: EMAIL }] }) === EMAIL,
		],
		[
			'keys of questions, names and codes',
			[...lexicon.QUESTION_KEYS, ...lexicon.NAME_KEYS, ...lexicon.CODE_KEYS],
			(word) => emailIn({ list: [{ [word]: 'email', value: EMAIL }] }) === EMAIL,
		],
		[
			'envelopes',
			lexicon.ENVELOPES,
			(word) => emailIn({ [word]: JSON.stringify({ email: EMAIL }) }) === EMAIL,
		],
		[
			'documented values',
			[lexicon.VALUES_IN_WORDS, lexicon.ENGLISH_VALUES]
				.flatMap((table) => Object.values(table))
				.flatMap((list) => list.split(', ')),
			(word) => valueOf(word) !== undefined,
		],
		[
			'technical keys',
			lexicon.TECHNICAL,
			(word) => notesOf({ [word]: 'x', cidade: 'Y' }) === 'cidade: Y',
		],
		['states', sales.STATE, (word) => !isSold({ [word]: 'x' })],
		['stages', sales.STAGE, (word) => !isSold({ [word]: 'x' })],
		['closed', sales.ENDED, (word) => isSold({ stage: word })],
		['words of a stage', sales.OF_STAGE, (word) => !isSold({ [`stage ${word}`]: 'x' })],
		['yes', sales.YES, (word) => isSold({ status: word })],
		['done', sales.DONE, (word) => !isSold({ [word]: 'no' }) && isSold({ [word]: 'yes' })],
		['orders', sales.ORDER, (word) => !isSold({ evento: `${word}_zzz` })],
		['words between', sales.BETWEEN, (word) => !isSold({ [`status ${word}`]: 'x' })],
		[
			'words for currency',
			values.CURRENCY_WORDS,
			(word) => isSold({}) && !hasValue({ [`order ${word}`]: 'USD' }),
		],
		['the real', values.REAIS, (word) => hasValue({ Valor: `${word} 100,00` })],
		['the real, behind', values.REAIS, (word) => hasValue({ Valor: `100,00 ${word}` })],
		['other currencies', values.OTHER_CURRENCIES, (word) => !hasValue({ Valor: `100,00 ${word}` })],
		['rates', values.RATE_WORDS, (word) => hasValue({ [`currency ${word}`]: 'USD' })],
	])('%s', (_, table, holds) => {
		expect(failing(table, holds)).toEqual([]);
	});
});

it.each<[string, Iterable<string>, (word: string) => string, string]>([
	['kinds', values.PHONE_KINDS, (word) => `(11) 98765-4321 ${word}`, ''],
	['extensions', values.EXTENSION_WORDS, (word) => `(11) 98765-4321 ${word} 12`, '12'],
	['words between', values.AND, (word) => `11987654321 ${word} 1133334444`, '+551133334444'],
])('each word of a phone: %s', (_, words, written, expected) => {
	const wrong = failing(words, (word) => {
		let reason = '';
		const onLeftOut = (__: string, why: string) => void (reason = why);
		const phone = toPhone(written(word), { ...context, onLeftOut });
		return phone === '+5511987654321' && reason.startsWith(expected);
	});
	expect(wrong).toEqual([]);
});

describe('each word of a date', () => {
	const { h, m, s, '': between } = values.WORDS_OF_TIME;
	const months = values.MONTHS.flatMap((names, index) =>
		[...names].flatMap((name) =>
			[name, name.slice(0, 3)].map((form) => [form, index + 1] as const),
		),
	);
	const days = [...values.WEEKDAYS].flatMap((name) => [name, name.slice(0, 3)]);

	it.each<[string, Iterable<string>, (word: string) => string, string]>([
		['days of the week', days, (word) => `${word}, 03/02/2026`, '2026-02-03T00:00'],
		['within a date', values.OF_DATE, (word) => `3 ${word} feb 2026`, '2026-02-03T00:00'],
		['ordinals', values.ORDINALS, (word) => `3${word} feb 2026`, '2026-02-03T00:00'],
		['before a time', values.BEFORE_TIME, (word) => `3/2/2026 ${word} 14:30`, '2026-02-03T14:30'],
		['hours', h, (word) => `03/02/2026 14 ${word} 30`, '2026-02-03T14:30'],
		['minutes', m, (word) => `03/02/2026 14h30 ${word}`, '2026-02-03T14:30'],
		['seconds', s, (word) => `03/02/2026 14h30m00 ${word}`, '2026-02-03T14:30'],
		['within a time', between, (word) => `03/02/2026 14h ${word} 30m`, '2026-02-03T14:30'],
	])('%s', (_, words, written, expected) => {
		expect(failing(words, (word) => read(written(word)) === `${expected}:00.000Z`)).toEqual([]);
	});

	it.each(months)('%s is month %s', (name, month) => {
		expect(new Date(read(`3 ${name} 2026`)).getUTCMonth() + 1).toBe(month);
	});

	it.each(Object.entries(values.ZONES))('%s is %s', (name, offset) => {
		expect(read(`03/02/2026 14:30 ${name}`)).toBe(
			new Date(`2026-02-03T14:30:00${offset}`).toISOString(),
		);
	});

	function read(text: string): string {
		return String(toUtc(text, { ...context, dayFirst: true }));
	}
});

function hasValue(row: IDataObject): boolean {
	const input = { 'Data da venda': '2026-01-31', Valor: '100,00', 'E-mail': EMAIL, ...row };
	return (toSaleOfRow('columns', { ...context, input }) as IDataObject).estimatedValue === 100;
}

it('docs/reading.md has the words', () => {
	const page = readFileSync(join(__dirname, '../../docs/reading.md'), 'utf8');
	const plain = (text: string) => text.replace(/[\s|-]+/g, ' ');
	expect(plain(page)).toBe(plain(withWords(page, lexicon)));
});
