/**
 * What long texts cost: every parameter of every operation, columns of rows, and each text of published WhatsApp webhooks
 * gets `x`, one piece repeated up to 100,000 characters, and `y`. None may take longer than the limit.
 *
 *   npm run bench -- longText --length 100000 --limit 50
 */
import { readdirSync, readFileSync } from 'node:fs';

import lodash from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Operation, Parameter } from '../nodes/IntegrationLeads/operation.ts';
import { draftItem } from '../nodes/IntegrationLeads/prepare/draft.ts';
import { resources } from '../nodes/IntegrationLeads/resources/index.ts';
import { parseWebhook } from '../nodes/IntegrationLeads/whatsapp/services.ts';
import { readArguments, wholeNumber } from '../scripts/lib/arguments.mts';
import { runCommand } from '../scripts/lib/command.mts';
import { fromRoot } from '../scripts/lib/repository.mts';
import { table } from '../scripts/lib/table.mts';

const USAGE = `Shows the CPU time that values of 100,000 repeated characters cost.

  npm run bench -- longText --length 100000   characters of each value
  npm run bench -- longText --limit 50        ms of CPU from which a value counts as too slow`;

/** Single characters, and what stands between two `|`. */
const PIECES = [
	...' \n\r\t\u00a0\u200b\u2028019.,-+/_*@([{<%#\\"\'aá👍',
	...'ML|ML-|{{|%25|5511|+55 |1.|1,|1 |a | a|a.|a@|_@|\n"| \n|0,0|12:|14h| 2026|null '.split('|'),
	...'TEL|TEL:|\nFN|undefined |#N/A |31/01/2026 | de | ou |R$ |,"a"'.split('|'),
];
/** The fields of a lead, and a question. */
const HEADINGS = [
	...['External ID', 'Lead ID', 'Protocol', 'Name', 'First Name', 'Email', 'Phone', 'Area Code'],
	...['Notes', 'Tags', 'Status', 'Priority', 'Source', 'Value', 'Sale Date', 'Date', 'Currency'],
	'A question?',
];
const CONTEXT = { timezone: 'America/Sao_Paulo', countryCode: '55' };
/** Slow runs are repeated: one of them may have been interrupted by the garbage collector. */
const RUNS = 3;

interface Reader {
	name: string;
	read: (text: string) => unknown;
}

/** Drafts an item with these values. */
function draft(operation: Operation, values: IDataObject, input: IDataObject = {}): void {
	draftItem(operation, (name) => values[name], { ...CONTEXT, input });
}

/** Every parameter and every field of a collection, with the mode of its list for records that can be chosen in several ways. */
function parameterReaders(): Reader[] {
	const seen = new Set<Parameter>();
	const readers: Reader[] = [];
	for (const [resource, { operations }] of Object.entries(resources)) {
		for (const [name, operation] of Object.entries(operations) as Array<[string, Operation]>) {
			const add = (parameter: Parameter, wrap: (value: unknown) => IDataObject) => {
				if (seen.has(parameter)) return;
				seen.add(parameter);
				const modes = (parameter.modes ?? []).map((each) => each.name);
				for (const mode of modes.length > 0 ? modes : [undefined]) {
					const valueOf = (text: string) => (mode ? { __rl: true, mode, value: text } : text);
					readers.push({
						name: lodash.compact([resource, name, parameter.name, mode]).join('.'),
						read: (text) => draft(operation, wrap(valueOf(text))),
					});
				}
			};
			for (const parameter of operation.parameters) {
				add(parameter, (value) => ({ [parameter.name]: value }) as IDataObject);
				if (parameter.type !== 'collection') continue;
				for (const field of (parameter.options ?? []) as Parameter[]) {
					add(field, (value) => ({ [parameter.name]: { [field.name]: value } }) as IDataObject);
				}
			}
		}
	}
	return readers;
}

/** Rows by their columns: long values below each heading, and a long heading. */
function columnReaders(): Reader[] {
	const lead = { mappingMode: 'autoMapInputData', value: null };
	const operations: Array<[string, Operation, IDataObject]> = [
		['upsert', resources.lead.operations.upsert, { specifyLead: 'columns', lead }],
		['push', resources.sync.operations.push, { lead }],
		['recordSale', resources.lead.operations.recordSale, { specifySale: 'columns' }],
	];
	return operations.flatMap(([name, operation, values]) => [
		...HEADINGS.map((heading) => ({
			name: `${name}, column ${heading}`,
			read: (text: string) => draft(operation, values, { 'External ID': 'e-1', [heading]: text }),
		})),
		{
			name: `${name}, heading`,
			read: (text) => draft(operation, values, { 'External ID': 'e-1', [text]: 'a' }),
		},
	]);
}

/** The texts of published webhooks, of each member of each service once. */
function webhookReaders(): Reader[] {
	const folder = fromRoot('test', 'payloads');
	const readers: Record<string, Reader> = {};
	for (const file of readdirSync(folder)) {
		for (const line of readFileSync(`${folder}/${file}`, 'utf8').split('\n').filter(Boolean)) {
			const { body } = JSON.parse(line) as { body: IDataObject };
			for (const path of textPaths(body)) {
				const name = `${file}: ${path.filter((key) => !/^\d+$/.test(key)).join('.')}`;
				readers[name] ??= {
					name,
					read: (text) => parseWebhook(lodash.set(lodash.cloneDeep(body), path, text)),
				};
			}
		}
	}
	return Object.values(readers);
}

function textPaths(value: unknown, path: string[] = []): string[][] {
	if (typeof value === 'string') return [path];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, each]) => textPaths(each, [...path, key]));
}

/** CPU time of the fastest of a few runs; one run is enough for what is fast. */
function millisecondsOf({ read }: Reader, text: string, limit: number): number {
	let fastest = Infinity;
	for (let run = 0; run < RUNS && fastest >= limit; run++) {
		const before = process.cpuUsage();
		// Most values are refused, which is an answer too.
		lodash.attempt(read, text);
		const { user, system } = process.cpuUsage(before);
		fastest = Math.min(fastest, (user + system) / 1000);
	}
	return fastest;
}

await runCommand(() => {
	const { values } = readArguments(USAGE, {
		options: {
			length: { type: 'string', default: '100000' },
			limit: { type: 'string', default: '50' },
		},
	});
	const length = wholeNumber('length', values.length);
	const limit = wholeNumber('limit', values.limit);
	const texts = PIECES.map((piece) => ({
		piece,
		text: `x${piece.repeat(Math.ceil((length - 2) / piece.length))}y`,
	}));
	let slow = 0;
	for (const readers of [parameterReaders(), columnReaders(), webhookReaders()]) {
		const measured = readers.flatMap((reader) =>
			texts.map(({ piece, text }) => ({
				reader: reader.name,
				piece: JSON.stringify(piece),
				ms: millisecondsOf(reader, text, limit),
			})),
		);
		slow += measured.filter(({ ms }) => ms >= limit).length;
		const slowest = lodash.orderBy(measured, 'ms', 'desc').slice(0, 12);
		console.log(`${readers.length} readers, ${measured.length} values, the slowest:`);
		console.log(`${table(slowest.map((each) => ({ ...each, ms: each.ms.toFixed(1) })))}\n`);
	}
	console.log(`longText: ${slow} values of ${length} characters took ${limit} ms of CPU or more`);
	return Promise.resolve(slow === 0 ? 0 : 1);
});
