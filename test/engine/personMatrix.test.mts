/** What each operation does with the record of a person, for all combinations of what is given; the table of docs/guide.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uniq } from 'lodash';

import { matchPerson } from '../../nodes/IntegrationLeads/contract/person';
import { withPersons } from '../../scripts/lib/personTable.mts';
import { called, fastClock, useLab } from '../helpers/lab.mts';
import {
	addressesOfCell,
	carryOut,
	cells,
	logging,
	operations,
	peopleOf,
	readTable,
	rowsOfTable,
	VALUES,
	type Became,
	type Cell,
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

test('the lead of an external ID keeps its contact with Look First, where another contact has the email', async () => {
	const { store, controls } = lab.sandbox;
	const { same, other } = peopleOf(0);
	const { externalId, ...ana } = same;
	const contactId = store.createContact(ana).id;
	const { id } = controls.createLead({ externalId, contactId, createdAt: '2026-01-01' });
	const { name, email, phone } = other;
	store.createContact({ name, email, phone });
	const options = { lookFirst: true };
	const parameters = called('lead.upsert', { externalId, name, email, options });
	const { error } = await lab.engine.run(parameters);
	expect(error?.message).toMatch(/is that of another person: Ana Souza/);
	expect(store.leads.get(id)?.contactId).toBe(contactId);
});

test('docs/guide.md has the table', () => {
	const page = readFileSync(join(__dirname, '../../docs/guide.md'), 'utf8');
	const plain = (text: string) => text.replace(/[\s|-]+/g, ' ');
	expect(plain(page)).toBe(plain(withPersons(page, readTable())));
});
