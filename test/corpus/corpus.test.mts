/**
 * What people really have: values, headings and whole sheets, from fields or columns to the body of the request. What is
 * expected was written before the node was asked.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, isEqual, isError, isObject } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { meaningOf } from '../../nodes/IntegrationLeads/columns/headings';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { draftItem } from '../../nodes/IntegrationLeads/prepare/draft';
import { InputError } from '../../nodes/IntegrationLeads/userError';

/** When the items run: sales may be up to a year later. */
const NOW = Date.UTC(2026, 0, 31);

const REFUSED = '✗';
const NOT_SENT = '∅';
/** The Default Country Code of the credential, and the time zone of the workflow. */
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
	UY: ['598', 'America/Montevideo'],
	GB: ['44', 'Europe/London'],
	DE: ['49', 'Europe/Berlin'],
	RU: ['7', 'Europe/Moscow'],
	'-': ['', 'UTC'],
	'??': ['', 'America/Sao_Paulo'],
};
const IN_FORM = ['externalId', 'protocol', 'name', 'email', 'phone'];

const linesOf = (file: string) =>
	readFileSync(join(__dirname, file), 'utf8').split('\n').slice(2).filter(Boolean);
const cells = (text: string) => text.split(' ¦ ');
const valueOf = (text: string): unknown =>
	text.startsWith('num:')
		? Number(text.slice(4))
		: text
				.replace(/\\u([\da-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
				.replaceAll('\\n', '\n');

/** The body that Create or Update sends, and the fields that are left out. */
function send(
	country: string,
	values: IDataObject,
	options: IDataObject = {},
	input: IDataObject = {},
) {
	const [countryCode, timezone] = COUNTRIES[country];
	const leftOut: string[] = [];
	const read = (name: string) => (name === 'options' ? options : values[name]);
	const onLeftOut = (label: string) => leftOut.push(label);
	const context = { timezone, input, now: NOW, countryCode, onLeftOut };
	const [draft] = draftItem(resources.lead.operations.upsert, read, context);
	return { body: draft.values.body as IDataObject, leftOut };
}

const BY_COLUMNS = {
	specifyLead: 'columns',
	lead: { mappingMode: 'autoMapInputData', value: null },
};

/** What is sent of a value, {@link REFUSED} where it is left out or fails the item. */
function sent(country: string, field: string, given: unknown): unknown {
	const details = IN_FORM.includes(field) ? {} : { [field]: given };
	const form = { externalId: 'e-1', [field]: given, additionalFields: details } as IDataObject;
	try {
		const { body, leftOut } = send(country, form);
		return leftOut.length > 0 ? REFUSED : { ...(body.contact as IDataObject), ...body }[field];
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return REFUSED;
	}
}

/** What was expected, as it is sent. */
function expectedOf(field: string, text: string): unknown {
	if (text === NOT_SENT) return undefined;
	if (field === 'estimatedValue') return Number(text);
	if (field === 'saleDate') return new Date(text).toISOString();
	return field === 'tags' ? text.split('|') : text;
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
		const wrong: string[] = [];
		for (const line of lines) {
			const [text, givens] = line.split(' <= ');
			for (const given of cells(givens)) {
				const wanted = text === REFUSED ? REFUSED : expectedOf(field, text);
				const found = sent(country, field, valueOf(given));
				if (!isEqual(found, wanted))
					wrong.push(`${given} is ${JSON.stringify(found)}, not ${text}`);
			}
		}
		expect(wrong).toEqual([]);
	});
});

it.each(linesOf('headings.txt').map((line) => line.split(' <= ')))(
	'headings of %s',
	(field, headings) => {
		const wrong = cells(headings).flatMap((heading) => {
			const found = meaningOf([heading])?.field ?? NOT_SENT;
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
		const rows = pairs.map(([row]) => {
			const values = row.split(';').map(valueOf);
			return Object.fromEntries(headings.map((heading, column) => [heading, values[column]]));
		}) as IDataObject[];
		const outcomes = rows.map((row) => {
			const body: unknown = attempt(
				() => send(country, BY_COLUMNS, { externalIdColumn }, row).body,
			);
			return isError(body) ? body.message : body;
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

/** What a tool exports or sends. Names and addresses in it are ours. */
interface Export {
	tool: string;
	/** Where its form is shown, and when that was looked up. */
	from: string;
	country: string;
	/** External ID Column. */
	id?: string;
	row: IDataObject;
	/** Whom a person who reads the row would take it for. */
	person?: IDataObject;
	/** What arrives of the person, if not all. */
	contact?: IDataObject | null;
	/** What arrives besides. */
	lead?: IDataObject;
	why?: string;
}

describe('exports', () => {
	const lines = readFileSync(join(__dirname, 'exports.jsonl'), 'utf8').trim().split('\n');
	const exported = lines.map((line) => JSON.parse(line) as Export);
	const flatten = (value: object, head = ''): IDataObject =>
		Object.assign(
			{},
			...Object.entries(value).map(([key, each]) =>
				isObject(each) ? flatten(each, `${head}${key}.`) : { [`${head}${key}`]: each as unknown },
			),
		) as IDataObject;
	it.each(exported)('$tool', ({ country, id, row: given, person, contact = person, lead = {} }) => {
		const expected = { externalId: 'e-1', ...lead, ...(contact && { contact }) };
		const own = lead.externalId === undefined ? { 'External ID': 'e-1' } : {};
		for (const [form, input] of Object.entries({ nested: given, flat: flatten(given) })) {
			const row = { ...input, ...own };
			const { body } = send(country, BY_COLUMNS, { externalIdColumn: id }, row);
			expect({ form, ...body }).toEqual({ form, ...expected });
		}
	});
});
