/**
 * Carries out the operations that write to the record of a person, each with a name, an email, a phone and an external ID that are
 * those of this person, those of another one, or blank.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipObject } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Lab } from './lab.mts';
import { called } from './lab.mts';
import { message, meta } from './webhooks.mts';

const FIELDS = ['name', 'email', 'phone', 'externalId'] as const;
export const VALUES = ['same', 'other', 'blank'] as const;

type Value = (typeof VALUES)[number];
export type Cell = Record<(typeof FIELDS)[number], Value>;
type Facts = Record<(typeof FIELDS)[number], string>;

export const cells: Cell[] = VALUES.flatMap((externalId) =>
	VALUES.flatMap((name) =>
		VALUES.flatMap((email) => VALUES.map((phone) => ({ name, email, phone, externalId }))),
	),
);

/** Ana, who has a record, and Bia. Each cell has people of its own, so that all cells share a run. */
export function peopleOf(n: number): { same: Facts; other: Facts } {
	const number = String(n).padStart(3, '0');
	const same = { name: 'Ana Souza', email: `ana${number}@example.com`, externalId: `a-${number}` };
	const other = { name: 'Bia Lima', email: `bia${number}@example.com`, externalId: `b-${number}` };
	return {
		same: { ...same, phone: `+5511910000${number}` },
		other: { ...other, phone: `+5511920000${number}` },
	};
}

function givenBy(cell: Cell, n: number): Partial<Facts> {
	const people = peopleOf(n);
	const pairs = FIELDS.map((field) => [field, cell[field]] as const);
	return Object.fromEntries(
		pairs.flatMap(([field, value]) => (value === 'blank' ? [] : [[field, people[value][field]]])),
	);
}

export interface MatrixOperation {
	parameters: IDataObject;
	toItem?: (given: Partial<Facts>) => IDataObject;
	asTool?: boolean;
	/** Ana's record is made by the first item of the same run, or by an earlier run. Otherwise it is there. */
	first?: 'sameRun' | 'earlierRun';
	/** Bia has a record as well. */
	isOtherKnown?: boolean;
}

const COLUMNS = { mappingMode: 'autoMapInputData', value: null };
const FROM_ITEM = Object.fromEntries(FIELDS.map((field) => [field, `={{ $json.${field} ?? '' }}`]));
const push = (batchSize: number) => called('sync.push', { lead: COLUMNS, options: { batchSize } });
const toRow = ({ name, email, phone, externalId }: Partial<Facts>): IDataObject => ({
	...(name && { Name: name }),
	...(email && { Email: email }),
	...(phone && { Phone: phone }),
	...(externalId && { 'External ID': externalId }),
});

function toWebhook({ name, phone, externalId }: Partial<Facts>): IDataObject {
	const who = { from: phone?.slice(1), from_user_id: externalId && `BR.${externalId}` };
	const webhook = meta(message('Hello', who));
	const [contact] = webhook.entry[0].changes[0].value.contacts as IDataObject[];
	contact.profile = { name };
	return { ...webhook };
}

/** The operations, by the columns of persons.txt. */
export const operations: Record<string, MatrixOperation[]> = {
	'Create or Update': [
		{ parameters: called('lead.upsert', FROM_ITEM) },
		{ parameters: called('lead.upsert', { specifyLead: 'columns', lead: COLUMNS }), toItem: toRow },
	],
	'An agent': [
		{ parameters: called('lead.upsert', FROM_ITEM), asTool: true },
		{ parameters: push(100), toItem: toRow, asTool: true },
	],
	'Push Leads, rows of one run': [
		{ parameters: push(500), toItem: toRow, first: 'sameRun' },
		{ parameters: push(cells.length), toItem: toRow, first: 'sameRun' },
	],
	'Push Leads, later': [{ parameters: push(100), toItem: toRow, first: 'earlierRun' }],
	'Record Sale': [
		{
			parameters: called('lead.recordSale', { specifySale: 'columns' }),
			toItem: (given) => ({ ...toRow(given), Date: '2026-01-31', Value: '10' }),
		},
	],
	'Find or Create': [{ parameters: called('contact.findOrCreate', FROM_ITEM) }],
};

const options = { lookFirst: true };
/** The operations with *Look First*. */
export const lookingFirst: MatrixOperation[] = [
	{ parameters: called('lead.upsert', { ...FROM_ITEM, options }) },
	{ parameters: called('sync.push', { lead: COLUMNS, options }), toItem: toRow },
];

export const logging: MatrixOperation = {
	parameters: called('message.logFromWhatsApp', {}),
	toItem: toWebhook,
};

/** What became of a cell. */
export interface Became {
	word: string;
	output: IDataObject;
	/** Those of the run. */
	hints: string;
	/** Whether Ana's contact is unchanged. */
	isIntact: boolean;
}

/** Carries out all cells with one operation. */
export async function carryOut(
	{ sandbox, engine }: Lab,
	{ parameters, toItem = (given) => given, asTool, first, isOtherKnown }: MatrixOperation,
): Promise<Became[]> {
	const { store, controls } = sandbox;
	const isChat = toItem === toWebhook;
	const idOf = ({ externalId }: Facts) => (isChat ? `whatsapp-BR.${externalId}` : externalId);
	for (const n of first ? [] : cells.keys()) {
		const { name, email, phone, externalId } = peopleOf(n).same;
		const { id: contactId } = store.createContact({ name, email, phone });
		const id = idOf({ name, email, phone, externalId });
		controls.createLead({ externalId: id, contactId, createdAt: '2026-01-01' });
	}
	for (const n of isOtherKnown ? cells.keys() : []) {
		const { name, email, phone, externalId } = peopleOf(n).other;
		const { id: contactId } = store.createContact({ name, email, phone });
		controls.createLead({ externalId, contactId, createdAt: '2026-01-01' });
	}
	const firsts = [...cells.keys()].map((n) => toItem(peopleOf(n).same));
	const items = cells.map((cell, n) => toItem(givenBy(cell, n)));
	const how = { asTool, onError: 'continueRegularOutput' as const };
	if (first === 'earlierRun') await engine.run(parameters, { ...how, input: firsts });
	const input = first === 'sameRun' ? [...firsts, ...items] : items;
	const ran = await engine.run(parameters, { ...how, input });
	const outputs = ran.items.slice(-cells.length).map(({ json }) => json);
	return outputs.map((output, n) => {
		const { same } = peopleOf(n);
		const lead = store.leadByExternalId(idOf(same))!;
		const contact = store.contactByEmail(same.email);
		const written = store.leads.get(String(output.leadId ?? output.id));
		const isTheirs = [lead.id, contact?.id].includes(String(output.leadId ?? output.id));
		const isSecond = written !== undefined && written.contactId === contact?.id;
		const isMoved = lead.contactId !== contact?.id;
		return {
			word: isMoved ? 'moved' : wordFor(output, isTheirs, isSecond),
			output,
			hints: JSON.stringify(ran.hints),
			isIntact:
				contact?.name === same.name && contact.email === same.email && contact.phone === same.phone,
		};
	});
}

function wordFor({ error }: IDataObject, isTheirs: boolean, isSecond: boolean): string {
	const message = String(error ?? '');
	// With the one whose record it is.
	if (/(?:is|are) that of another person: Ana Souza .*, not /.test(message)) return 'refused';
	if (/^No lead has/.test(message)) return 'not found';
	if (/^The row has no|are empty, and|does not say who/.test(message)) return '-';
	if (message) return message;
	return isTheirs ? 'used' : isSecond ? 'second' : 'new';
}

/** Whether the email and the phone of a cell are those of the person, in the words of persons.txt. */
export function addressesOfCell({ email, phone }: Cell): string {
	const [agrees, differs] = (['same', 'other'] as const).map((value) =>
		[email, phone].includes(value),
	);
	if (agrees) return differs ? 'one same, one other' : 'same';
	return differs ? 'other' : 'blank';
}

export const readTable = (): string => readFileSync(join(__dirname, 'persons.txt'), 'utf8').trim();

/** The rows of persons.txt, by the heads of its columns. */
export function rowsOfTable(text: string): Array<Record<string, string>> {
	const [head, ...rows] = text.split('\n').map((line) => line.split(' | '));
	return rows.map((cellsOfRow) => zipObject(head, cellsOfRow));
}
