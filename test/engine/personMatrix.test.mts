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
	const differs = [name, email, phone].includes('other');
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
		// Another name is said, and changes nothing.
		'same same used used, said',
		'same other used, said',
		'same blank used used, said',
		'other same used, said',
		'other other new',
		'other blank new',
		'blank same used used, said',
		'blank other new',
		'blank blank -',
	]);
	expect(became.every(({ isIntact }) => isIntact)).toBe(true);
});

/**
 * What becomes of the lead of Ana's external ID where another known contact, Bia, has the email or the phone. *moved*: the sandbox
 * gives the lead Bia's contact, and a hint says that it may have. Which contact the service takes is not documented (spec 4.3).
 * Columns: name, email, phone; *Create or Update*; *Push Leads* after the lead was there, and in rows of one run; an agent; looked up.
 */
const KNOWN = `
same same other: used used used used used
same other same: used moved moved used used
same other other: used moved moved used used
same other blank: used moved moved used used
same blank other: used moved moved used used
other same other: used used refused refused refused
other other same: used moved refused refused refused
other other other: used moved refused refused refused
other other blank: used moved refused refused refused
other blank other: used moved refused refused refused
blank same other: used used used used used
blank other same: used moved moved used used
blank other other: used moved moved refused used
blank other blank: used moved moved refused used
blank blank other: used moved moved refused used
`
	.trim()
	.split('\n');

describe("the lead of Ana's external ID, where another known contact has the email or the phone", () => {
	const meant = cells.filter(
		({ externalId, email, phone }) => externalId === 'same' && [email, phone].includes('other'),
	);
	const [lookingFirstUpsert, lookingFirstPush] = lookingFirst;
	const columns: Array<[string, MatrixOperation[], number]> = [
		['Create or Update', operations['Create or Update'], 0],
		['Push Leads, later', operations['Push Leads, later'], 1],
		['Push Leads, rows of one run', operations['Push Leads, rows of one run'], 2],
		['An agent', operations['An agent'], 3],
		['Create or Update with Look First', [lookingFirstUpsert], 4],
		['Push Leads with Look First', [lookingFirstPush], 4],
	];
	const all = columns.flatMap(([operation, ways, column]) =>
		ways.map((way) => [operation, way, column] as const),
	);
	test.each(all)('%s (%#)', async (_, way, column) => {
		const became = await carryOut(lab, { ...way, isOtherKnown: true });
		const found = meant.map((cell) => became[cells.indexOf(cell)]);
		const lineOf = ({ name, email, phone }: Cell) => `${[name, email, phone].join(' ')}:`;
		const wordOf = (cell: Cell) =>
			KNOWN.find((line) => line.startsWith(lineOf(cell)))
				?.split(' ')
				.slice(3)[column];
		const lines = (words: Array<string | undefined>) =>
			meant.map((cell, n) => `${lineOf(cell)} ${words[n]}`);
		expect(lines(found.map(({ word }) => word))).toEqual(lines(meant.map(wordOf)));
		expect(found.every(({ isIntact }) => isIntact)).toBe(true);
		// The answer to a batch shows no contacts.
		const isSent = column === 1 || column === 2;
		const silent = found.filter(
			({ word, output, hints }) =>
				!(output.differences || word === 'refused' || (isSent && hints.includes('Look First'))),
		);
		expect(silent).toEqual([]);
	});
});

test('a contact that the service moved in a push is set again as the hint says', async () => {
	const { store, controls } = lab.sandbox;
	const { same, other } = peopleOf(0);
	const { externalId, ...ana } = same;
	const contactId = store.createContact(ana).id;
	const { id } = controls.createLead({ externalId, contactId, createdAt: '2026-01-01' });
	const { name, email, phone } = other;
	store.createContact({ name, email, phone });
	const { parameters } = operations['Push Leads, later'][0];
	const input = [{ 'External ID': externalId, Name: name, Email: email }];
	const { hints } = await lab.engine.run(parameters, { input });
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
