/**
 * What people really have: values, headings and whole sheets, from fields or columns to the body of the request. What is
 * expected was written before the node was asked.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { fieldOf } from '../../nodes/IntegrationLeads/fields/headings';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { planRequest } from '../helpers/plan.mts';
import { InputError } from '../../nodes/IntegrationLeads/userError';

const REFUSED = '✗';
const NOT_SENT = '∅';
/** Options > Default Country Code, and the time zone of the workflow. */
const COUNTRIES: Record<string, [code: string, timezone: string]> = {
	BR: ['55', 'America/Sao_Paulo'],
	PT: ['351', 'Europe/Lisbon'],
	ES: ['34', 'Europe/Madrid'],
	MX: ['52', 'America/Mexico_City'],
	AR: ['54', 'America/Argentina/Buenos_Aires'],
	CO: ['57', 'America/Bogota'],
	CL: ['56', 'America/Santiago'],
	PE: ['51', 'America/Lima'],
	US: ['1', 'America/New_York'],
	'-': ['', 'UTC'],
};
const IN_FORM = ['externalId', 'name', 'email', 'phone'];

const linesOf = (file: string) =>
	readFileSync(join(__dirname, file), 'utf8').split('\n').slice(2).filter(Boolean);
const cells = (text: string) => text.split(' ¦ ');
const valueOf = (text: string): unknown =>
	text.startsWith('num:')
		? Number(text.slice(4))
		: text
				.replace(/\\u([\da-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
				.replaceAll('\\n', '\n');

/** The body that Create or Update sends, or what it throws. */
function send(country: string, values: IDataObject, options: IDataObject = {}, input = {}) {
	const [countryCode, timezone] = COUNTRIES[country];
	const leftOut: string[] = [];
	const read = (name: string) => (name === 'options' ? options : values[name]);
	const onLeftOut = (label: string) => leftOut.push(label);
	const context = { timezone, input, now: 0, countryCode, onLeftOut };
	const { request } = planRequest(resources.lead.operations.upsert, read, context);
	return { body: request.body as IDataObject, leftOut };
}

function sent(country: string, field: string, given: unknown, options?: IDataObject): unknown {
	const details = IN_FORM.includes(field) ? {} : { [field]: given };
	const form = { externalId: 'e-1', [field]: given, additionalFields: details } as IDataObject;
	const { body, leftOut } = send(country, form, options);
	if (leftOut.length > 0) return REFUSED;
	return { ...(body.contact as IDataObject), ...body }[field];
}

/** What was expected, as it is sent. */
function expectedOf(field: string, text: string): unknown {
	if (text === NOT_SENT) return undefined;
	if (field === 'estimatedValue') return Number(text);
	if (field === 'saleDate') return new Date(text).toISOString();
	return field === 'tags' ? text.split('|') : text;
}

function outcomeOf(run: () => unknown): unknown {
	try {
		return run();
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return REFUSED;
	}
}

describe('values', () => {
	const sections: Record<string, string[]> = {};
	let name = '';
	for (const line of linesOf('values.txt')) {
		if (line.startsWith('[')) name = line.slice(1, -1);
		else (sections[name] ??= []).push(line);
	}
	it.each(Object.entries(sections))('of %s', (section, lines) => {
		const [field, country] = section.split(' ');
		const wrong = lines.flatMap((line) => {
			const [text, givens] = line.split(' <= ');
			return cells(givens).flatMap((given) => {
				const read = (options?: IDataObject) =>
					outcomeOf(() => sent(country, field, valueOf(given), options));
				const wanted = text === REFUSED ? REFUSED : expectedOf(field, text);
				const isRight =
					isEqual(read(), wanted) && isEqual(read({ unreadable: 'leaveOut' }), wanted);
				return isRight ? [] : [`${given} is ${JSON.stringify(read())}, not ${text}`];
			});
		});
		expect(wrong).toEqual([]);
	});
});

it.each(linesOf('headings.txt').map((line) => line.split(' <= ')))(
	'headings of %s',
	(field, headings) => {
		const wrong = cells(headings).flatMap((heading) => {
			const found = fieldOf(heading) ?? NOT_SENT;
			return found === field ? [] : [`${heading} is ${found}`];
		});
		expect(wrong).toEqual([]);
	},
);

describe('sheets', () => {
	const sheets = linesOf('sheets.txt')
		.join('\n')
		.split(/^\[/m)
		.slice(1)
		.map((sheet) => {
			const [title, headings, ...rows] = sheet.trim().split('\n');
			const pairs = rows.flatMap((row, index) => (index % 2 ? [] : [[row, rows[index + 1]]]));
			return { title: title.replace(/\]$/, ''), headings: headings.split(';'), pairs };
		});
	it.each(sheets)('$title', ({ title, headings, pairs }) => {
		const [, country, externalIdColumn] = title.split(', ');
		const outcomes = pairs.map(([row]) => {
			const values = row.split(';').map(valueOf);
			const input = Object.fromEntries(
				headings.map((heading, column) => [heading, values[column]]),
			);
			const form = {
				identifyBy: 'columns',
				lead: { mappingMode: 'autoMapInputData', value: null },
			};
			try {
				return send(country, form, { externalIdColumn }, input).body;
			} catch (error) {
				return (error as Error).message;
			}
		});
		expect(outcomes).toEqual(
			pairs.map(([, lead]) =>
				lead.startsWith(REFUSED)
					? expect.stringContaining(lead.slice(2))
					: (JSON.parse(lead) as unknown),
			),
		);
	});
});
