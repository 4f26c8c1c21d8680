/** What each operation does with the record of a person, for all combinations of what is given; the table of docs/guide.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uniq } from 'lodash';

import { matchPerson } from '../../nodes/IntegrationLeads/contract/samePerson';
import { withPersons } from '../../scripts/lib/personTable.mts';
import { by, called, fastClock, useLab } from '../helpers/lab.mts';
import {
	addressesOfCell,
	carryOut,
	cells,
	logging,
	lookingFirst,
	operations,
	peopleOf,
	readTable,
	rowsOfTable,
	VALUES,
	type Became,
	type Cell,
	type MatrixOperation,
} from '../helpers/personMatrix.mts';

const lab = useLab({ seed: 0, rpm: 0 }, () => fastClock(500));

const table = rowsOfTable(readTable());
const rowOf = (cell: Cell) =>
	table.find(
		(row) =>
			row['External ID'] === cell.externalId &&
			row.Name === cell.name &&
			row['Email and phone'] === addressesOfCell(cell),
	)!;

const textOf = (cell: Cell) => Object.values(cell).join(' ');

/** What must hold whatever the table says. */
function broken(cell: Cell, { word, output, isIntact }: Became, shows: boolean): string[] {
	const { same, other } = peopleOf(0);
	const facts = { same, other, blank: undefined };
	const { name, email, phone } = cell;
	const given = {
		name: facts[name]?.name,
		email: facts[email]?.email,
		phone: facts[phone]?.phone,
	};
	const isOther = matchPerson(given, same) === 'other';
	const differs = name === 'other' || email === 'other';
	return [
		isIntact ? '' : 'the contact changed',
		word === 'used' && shows && differs && !output.differences ? 'a difference is not said' : '',
		word === 'used' && isOther && cell.externalId !== 'same' ? 'another person was used' : '',
		word === 'second' && cell.externalId !== 'other' ? 'a second lead was not asked for' : '',
		/Cannot read|undefined/.test(word) ? word : '',
	].filter(Boolean);
}

describe.each(Object.entries(operations))('%s', (column, ways) => {
	test.each(ways)('does what the table says, and nothing in silence (%#)', async (way) => {
		const became = await carryOut(lab, way);
		const found = cells.map((cell, n) => `${textOf(cell)}: ${became[n].word}`);
		expect(found).toEqual(cells.map((cell) => `${textOf(cell)}: ${rowOf(cell)[column]}`));
		// The answer to a batch shows no contacts.
		const shows = !column.startsWith('Push');
		const all = cells.map((cell, n) => [textOf(cell), ...broken(cell, became[n], shows)]);
		expect(all.filter(([, ...rest]) => rest.length > 0)).toEqual([]);
	});
});

test('a message of WhatsApp goes by its ID and its number alone', async () => {
	const became = await carryOut(lab, logging);
	const found = VALUES.flatMap((externalId) =>
		VALUES.map((phone) => {
			const of = became.filter(
				(_, n) => cells[n].externalId === externalId && cells[n].phone === phone,
			);
			const words = of.map(({ word, output }) => (output.differences ? `${word}, said` : word));
			return [externalId, phone, ...uniq(words)].join(' ');
		}),
	);
	expect(found).toEqual([
		'same same used',
		'same other used, said',
		'same blank used',
		'other same used, said',
		'other other new',
		'other blank new',
		'blank same used',
		'blank other new',
		'blank blank -',
	]);
	expect(became.every(({ isIntact }) => isIntact)).toBe(true);
});

/**
 * What becomes of the lead of Ana's external ID where another known contact, Bia, has the email or the phone. *moved*: the sandbox
 * gives the lead Bia's contact, and the output or a hint says so. Which contact the service takes is not documented (spec 4.3).
 * Columns: name, email, phone; an external ID that is trusted, alone and in rows of one run; looked up.
 */
const KNOWN = `
same other same: moved moved used
same other other: moved moved used
same other blank: moved moved used
same blank other: moved moved used
same same other: used used used
other other same: moved refused refused
other other other: moved refused refused
other other blank: moved refused refused
other blank other: moved refused refused
other same other: used refused refused
`
	.trim()
	.split('\n');

describe("the lead of Ana's external ID, where another known contact has the email or the phone", () => {
	const meant = cells.filter(
		({ externalId, name, email, phone }) =>
			externalId === 'same' && name !== 'blank' && [email, phone].includes('other'),
	);
	const columns: Array<[string, MatrixOperation[], number]> = [
		['Create or Update', operations['Create or Update'], 0],
		['Push Leads, later', operations['Push Leads, later'], 0],
		['Push Leads, rows of one run', operations['Push Leads, rows of one run'], 1],
		['An agent', operations['An agent'], 2],
		['Look First', lookingFirst, 2],
	];
	const all = columns.flatMap(([operation, ways, column]) =>
		ways.map((way) => [operation, way, column] as const),
	);
	test.each(all)('%s (%#)', async (_, way, column) => {
		const became = await carryOut(lab, { ...way, isOtherKnown: true });
		const found = meant.map((cell) => became[cells.indexOf(cell)]);
		const wordOf = ({ name, email, phone }: Cell) =>
			KNOWN.find((line) => line.startsWith(`${[name, email, phone].join(' ')}:`))
				?.split(' ')
				.slice(3)[column];
		expect(found.map(({ word }) => word)).toEqual(meant.map(wordOf));
		const silent = found.filter(({ word, hints }) => word === 'moved' && !/Look First/.test(hints));
		expect([silent, found.every(({ isIntact }) => isIntact)]).toEqual([[], true]);
	});
});

test('a contact that the service moved is set again as the hint says', async () => {
	const { store, controls } = lab.sandbox;
	const { same, other } = peopleOf(0);
	const { externalId, ...ana } = same;
	const contactId = store.createContact(ana).id;
	const { id } = controls.createLead({ externalId, contactId, createdAt: '2026-01-01' });
	const { name, email, phone } = other;
	store.createContact({ name, email, phone });
	const { hints } = await lab.engine.run(called('lead.upsert', { externalId, name, email }));
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/set the right one with Lead > Update/),
	]);
	const updateFields = { contactId: by('id', contactId) };
	await lab.engine.run(called('lead.update', { leadId: by('id', id), updateFields }));
	expect(store.leads.get(id)?.contactId).toBe(contactId);
});

test('docs/guide.md has the table', () => {
	const page = readFileSync(join(__dirname, '../../docs/guide.md'), 'utf8');
	const plain = (text: string) => text.replace(/[\s|-]+/g, ' ');
	expect(plain(page)).toBe(plain(withPersons(page, readTable())));
});
