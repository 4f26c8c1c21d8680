/** The simplified form of records. */
import { eventColumns } from '../../nodes/IntegrationLeads/trigger/run';
import { lead } from '../../nodes/IntegrationLeads/contract/records';
import { localizeRows, simplifyRecords } from '../../nodes/IntegrationLeads/contract/shown';

const columns = lead.simplified ?? {};
const contact = { id: 'c1', name: 'Contact A', email: 'a@example.com' };
/** In the order of the fields in spec 4.1. */
const open = {
	id: 'l1',
	externalId: 'crm-1',
	status: 'open',
	priority: 'medium',
	contact,
	tags: [],
	createdAt: '2026-03-02T12:00:00.000Z',
};

test('the person comes first and IDs last, flat, without empty columns', () => {
	const [row] = simplifyRecords(
		[{ ...open, saleDate: null, notes: 'long', custom: { deep: 1 } }],
		columns,
	);
	expect(Object.entries(row)).toEqual([
		['name', 'Contact A'],
		['email', 'a@example.com'],
		['status', 'open'],
		['priority', 'medium'],
		['externalId', 'crm-1'],
		['createdAt', '2026-03-02T12:00:00.000Z'],
		['contactId', 'c1'],
		['id', 'l1'],
	]);
});

test.each<[what: string, one: object, other: object, rows: object[]]>([
	['no value in any', { source: null }, { source: '' }, [{}, {}]],
	['a value in one', { source: 'api' }, {}, [{ source: 'api' }, { source: null }]],
	['a list in one', { tags: [] }, { tags: ['a'] }, [{ tags: [] }, { tags: ['a'] }]],
	['0 and false are values', { source: 0 }, { source: false }, [{ source: 0 }, { source: false }]],
])('columns are the same in all rows: %s', (_, one, other, rows) => {
	const ids = [{ id: 'l1' }, { id: 'l2' }];
	const records = [one, other].map((each, n) => ({ ...each, ...ids[n] }));
	expect(simplifyRecords(records, columns)).toEqual(rows.map((row, n) => ({ ...row, ...ids[n] })));
});

test.each<[what: string, record: object, row: object]>([
	[
		'UTC',
		{ createdAt: '2026-03-02T01:00:00.000Z' },
		{ createdAt: '2026-03-01T22:00:00.000-03:00' },
	],
	[
		'another',
		{ saleDate: '2026-03-02T01:00+02:00' },
		{ saleDate: '2026-03-01T20:00:00.000-03:00' },
	],
	['none', { saleDate: '2026-03-02' }, { saleDate: '2026-03-02T00:00:00.000-03:00' }],
	['what is no date', { saleDate: 'soon' }, { saleDate: 'soon' }],
	['an amount as text', { estimatedValue: '1500.50' }, { estimatedValue: 1500.5 }],
	['an amount in words', { estimatedValue: '1.500,50' }, { estimatedValue: '1.500,50' }],
])('dates are in the time zone of the workflow, and amounts numbers: %s', (_, record, row) => {
	const rows = simplifyRecords([{ ...open, ...record }], columns);
	localizeRows(rows, 'America/Sao_Paulo');
	expect(rows).toMatchObject([row]);
});

test.each<[what: string, record: object, row: object]>([
	['equal IDs', { id: 'c1' }, { name: 'Contact A', contactId: 'c1', id: 'c1' }],
	['a status of the contact', { contact: { status: 'gone' } }, { status: 'open' }],
	['no contact', { contact: null, contactId: 'c2' }, { contactId: 'c2' }],
])('fields of a lead and its contact are not confused: %s', (_, record, row) => {
	expect(simplifyRecords([{ ...open, ...record }], columns)).toMatchObject([row]);
});

test('events of a creation and of a change have the same columns', () => {
	const event = { status: 'open', detectedAt: 'now', redelivered: false, lead: open };
	const created = { ...event, event: 'lead.created', eventId: 'a', previousStatus: null };
	const changed = { ...created, event: 'lead.statusChanged', previousStatus: 'lost' };
	const [row] = simplifyRecords([created], eventColumns);
	expect(Object.keys(row).join(' ')).toBe(
		'event name email status leadId externalId detectedAt redelivered eventId lead',
	);
	const rows = simplifyRecords([created, changed], eventColumns);
	expect(rows.map(({ previousStatus }) => previousStatus)).toEqual([null, 'lost']);
});
