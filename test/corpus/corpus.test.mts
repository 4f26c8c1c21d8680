/**
 * What people really have: values, headings and whole sheets, from fields or columns to the body of the request. What is
 * expected was written before the node was asked.
 */
import type { ConvertContext } from '../../nodes/IntegrationLeads/operation';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { get, isEqual, isObject } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { fieldOf } from '../../nodes/IntegrationLeads/columns/headings';
import { resources } from '../../nodes/IntegrationLeads/resources';
import type { Questions, RequestPlan } from '../../nodes/IntegrationLeads/prepare/plan';
import { draftItem } from '../../nodes/IntegrationLeads/prepare/draft';
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

/** The body that Create or Update sends, or what it throws. `rows`: all of the run, with the one that is sent first. */
/** Leads of this account have documented values only. */
const ask: Questions = {
	lookUp: async () => await Promise.resolve(undefined),
	isKnown: async () => await Promise.resolve(false),
	spell: async (_, text) => await Promise.resolve(text),
};

async function send(
	country: string,
	values: IDataObject,
	options: IDataObject = {},
	rows: IDataObject[] = [{}],
) {
	const [countryCode, timezone] = COUNTRIES[country];
	const [input] = rows;
	const leftOut: string[] = [];
	const read = (name: string) => (name === 'options' ? options : values[name]);
	const onLeftOut = (label: string) => leftOut.push(label);
	const columnFits: ConvertContext['columnFits'] = (heading, fits) =>
		fits(rows.map((row) => row[heading]).filter(Boolean));
	const ofRun = rows.length > 1 ? { columnFits } : {};
	const context = { timezone, input, now: 0, countryCode, onLeftOut, ...ofRun };
	const [draft] = draftItem(resources.lead.operations.upsert, read, context);
	for (const question of draft.pending) await question(ask);
	const { request } = draft.plan() as RequestPlan;
	return { body: request.body as IDataObject, leftOut };
}

const BY_COLUMNS = {
	identifyBy: 'columns',
	lead: { mappingMode: 'autoMapInputData', value: null },
};

async function sent(
	country: string,
	field: string,
	given: unknown,
	options?: IDataObject,
): Promise<unknown> {
	const details = IN_FORM.includes(field) ? {} : { [field]: given };
	const form = { externalId: 'e-1', [field]: given, additionalFields: details } as IDataObject;
	const { body, leftOut } = await send(country, form, options);
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

async function outcomeOf(run: () => Promise<unknown>): Promise<unknown> {
	try {
		return await run();
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
	it.each(Object.entries(sections))('of %s', async (section, lines) => {
		const [field, country] = section.split(' ');
		const wrong: string[] = [];
		for (const line of lines) {
			const [text, givens] = line.split(' <= ');
			for (const given of cells(givens)) {
				const read = async (options?: IDataObject) =>
					await outcomeOf(async () => await sent(country, field, valueOf(given), options));
				const wanted = text === REFUSED ? REFUSED : expectedOf(field, text);
				const [found, left] = [await read(), await read({ unreadable: 'leaveOut' })];
				if (isEqual(found, wanted) && isEqual(left, wanted)) continue;
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
	it.each(sheets)('$title', async ({ title, headings, pairs }) => {
		const [, country, externalIdColumn] = title.split(', ');
		const rows = pairs.map(([row]) => {
			const values = row.split(';').map(valueOf);
			return Object.fromEntries(headings.map((heading, column) => [heading, values[column]]));
		}) as IDataObject[];
		const outcomes = await Promise.all(
			rows.map(async (row) => {
				const sending = send(country, BY_COLUMNS, { externalIdColumn }, [row, ...rows]);
				return await sending.then(
					({ body }) => body,
					(error: Error) => error.message,
				);
			}),
		);
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
	/** Whom a person who reads the row would take it for; none where two people are in it. */
	person?: IDataObject;
	/** What arrives of the person, if not all. */
	contact?: IDataObject | null;
	/** What arrives besides. */
	lead?: IDataObject;
	why?: string;
}

describe('exports', () => {
	const exported = JSON.parse(readFileSync(join(__dirname, 'exports.json'), 'utf8')) as Export[];
	const flatten = (value: object, head = ''): IDataObject =>
		Object.assign(
			{},
			...Object.entries(value).map(([key, each]) =>
				isObject(each) ? flatten(each, `${head}${key}.`) : { [`${head}${key}`]: each as unknown },
			),
		) as IDataObject;
	const arrived: Record<string, number> = {};
	it.each(exported)('$tool', async ({ country, id, row, person, contact = person, lead = {} }) => {
		const expected = { externalId: 'e-1', ...lead, ...(contact && { contact }) };
		const own = lead.externalId === undefined ? { 'External ID': 'e-1' } : {};
		for (const [form, input] of Object.entries({ nested: row, flat: flatten(row) })) {
			const { body } = await send(country, BY_COLUMNS, { externalIdColumn: id }, [
				{ ...input, ...own },
			]);
			expect({ form, ...body }).toEqual({ form, ...expected });
			for (const field of ['name', 'email', 'phone']) {
				const isThere = (of: unknown) => Number(get(of, field) !== undefined);
				const key = `${form} ${field}`;
				arrived[key] = (arrived[key] ?? 0) + isThere(body.contact);
				arrived[`${key} of`] = (arrived[`${key} of`] ?? 0) + isThere(person);
			}
		}
	});
	it('the share that arrives', () => {
		expect(arrived).toEqual({
			'nested name': 65,
			'nested name of': 68,
			'nested email': 67,
			'nested email of': 69,
			'nested phone': 55,
			'nested phone of': 57,
			'flat name': 65,
			'flat name of': 68,
			'flat email': 67,
			'flat email of': 69,
			'flat phone': 55,
			'flat phone of': 57,
		});
	});
});
