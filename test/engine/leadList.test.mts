/** What *Lead > Get Many* reads beside the list, and what its rows show. */
import type { IDataObject } from 'n8n-workflow';

import { by, called, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 0, rpm: 0 });
const list = (fields: IDataObject = {}) => called('lead.getAll', { returnAll: true, ...fields });
const full = list({ options: { includeFullLead: true } });

const SALE = { estimatedValue: 1500.5, saleDate: '2026-03-02T01:00:00Z', source: 'whatsapp' };
function create(count: number) {
	for (let n = 0; n < count; n += 1) {
		const { id: contactId } = lab.sandbox.store.createContact({ phone: `+551190000000${n}` });
		lab.sandbox.controls.createLead({ externalId: `crm-${n}`, contactId, ...SALE });
	}
	lab.sandbox.controls.clearRequests();
}
const paths = () => lab.sandbox.controls.requests().map(({ route }) => route);
const texts = (hints: Array<{ message: string }>) => hints.map(({ message }) => message);

test('with Include Full Lead, rows have the phone, the value, the sale date and the source', async () => {
	create(3);
	const { items, error, hints } = await lab.engine.run(full);
	expect([error, hints]).toEqual([undefined, []]);
	expect(items.map(({ json }) => json.phone).sort()).toEqual(
		[0, 1, 2].map((n) => `+551190000000${n}`),
	);
	for (const { json } of items) {
		const { estimatedValue, source, saleDate, createdAt } = json;
		expect({ estimatedValue, source }).toEqual({ estimatedValue: 1500.5, source: 'whatsapp' });
		expect(Date.parse(String(saleDate))).toBe(Date.parse(SALE.saleDate));
		// One time zone for all dates of an output.
		const offsets = [saleDate, createdAt].map((date) => /(?:Z|[+-]\d\d:\d\d)$/.exec(String(date)));
		expect(offsets[0]?.[0]).toBe(offsets[1]?.[0]);
	}
	expect(paths()).toHaveLength(7);
});

test('a lead that was deleted meanwhile stays as it was listed', async () => {
	create(1);
	const match = { path: '/leads/' };
	lab.sandbox.controls.fault({ kind: 'status', status: 404, match, times: 9 });
	const { items, error } = await lab.engine.run(full);
	expect([error, items[0].json.externalId]).toEqual([undefined, 'crm-0']);
});

test('a key that may not read contacts gets the leads without phones, with one hint', async () => {
	create(3);
	const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:read'] });
	const { items, error, hints } = await lab.withKey(key).run(full);
	expect([error, items.length]).toEqual([undefined, 3]);
	expect(items[0].json.estimatedValue).toBe(1500.5);
	expect(texts(hints)).toEqual([expect.stringMatching(/^Phones were not read: .*contacts:read/)]);
});

test('without it, a hint says what lists lack; a search for a person needs none', async () => {
	create(2);
	const lacks = expect.stringMatching(/^Lists show no phone, source, value or sale date/) as string;
	expect(texts((await lab.engine.run(list())).hints)).toEqual([lacks]);
	const search = { filters: { search: 'crm' } };
	for (const fields of [search, { filters: { phone: '+5511900000001' } }]) {
		expect(texts((await lab.engine.run(list(fields))).hints)).toEqual([]);
	}
	lab.sandbox.controls.reset();
	expect(texts((await lab.engine.run(list())).hints)).toEqual([]);
});

// A sum of Estimated Value over these leads is more than was earned, and Summarize adds it up without a word.
test.each<[IDataObject[], string[]]>([
	[[{ tags: ['sale taken back'] }, { tags: ['vip'] }, {}], ['1 of these leads has the tag']],
	[
		[{ tags: ['Sale taken back'] }, { tags: ['Refund to check'] }],
		['2 of these leads have the tag'],
	],
	[[{ tags: ['Refund to check'], estimatedValue: null }, {}], []],
])('of %j, a hint says whose value is not revenue', async (leads, begins) => {
	for (const fields of leads) lab.sandbox.controls.createLead({ ...SALE, ...fields });
	const { hints } = await lab.engine.run(full);
	expect(texts(hints)).toEqual(begins.map((begin) => expect.stringMatching(`^${begin}`)));
});

test.each([
	['2026-11-30', '2026-11-10'],
	['2026-11-01', '2026-11-01'],
])('created after %s and before %s is refused', async (createdAfter, createdBefore) => {
	const { error } = await lab.engine.run(list({ filters: { createdAfter, createdBefore } }));
	expect(error?.message).toBe('"Created Before" must be later than "Created After"');
	expect(paths()).toEqual([]);
});

test.each<[IDataObject, string[]]>([
	[
		{ status: 'perdido' },
		['No lead was found, perhaps because of the status "perdido": use closed_lost.'],
	],
	[{ status: 'wonn' }, ['the status "wonn": documented are open \\(Aberto\\), in_progress']],
	[{ priority: 'Alta' }, ['the priority "Alta": use high']],
	[{ source: 'Instagran' }, ['the source "Instagran": documented are whatsapp, api']],
	[
		{ tag: by('id', 'VIPP'), status: 'open', search: 'Ana' },
		['the tag "VIPP": compare its spelling with a lead that has it'],
	],
	[{ status: 'closed_won', createdAfter: '01/11/2026' }, []],
])('no lead has %j: a value that is not documented is named', async (filters, said) => {
	create(1);
	const { items, hints } = await lab.engine.run(list({ filters }));
	expect(items).toEqual([]);
	expect(texts(hints)).toEqual(said.map((text) => expect.stringMatching(text)));
});

test('a status of the account that is not documented is read without a word', async () => {
	lab.sandbox.controls.createLead({ status: 'perdido' });
	const { items, hints } = await lab.engine.run(list({ filters: { status: 'perdido' } }));
	expect([items.length, texts(hints).join('')]).toEqual([
		1,
		expect.not.stringContaining('perdido'),
	]);
});

test.each<[what: string, name: string, parameters: IDataObject[], said: string[]]>([
	['leads', 'lead.getAll', [{}, {}], ['2 input items read the same list']],
	['sales', 'lead.getConversions', [{}, {}], ['2 input items read the same list']],
	['tags', 'tag.getAll', [{}, {}, {}], ['3 input items read the same list']],
	['two lists', 'lead.getAll', [{ limit: 1 }, { limit: 2 }, { limit: 1 }], ['only 2 different']],
	['a list each', 'lead.getAll', [{ limit: 1 }, { limit: 2 }], []],
	['a list', 'lead.getAll', [{ limit: 1 }], []],
])('input items that read %s: what comes twice is said', async (_, name, input, said) => {
	create(2);
	const limit = '={{ $json.limit ?? 50 }}';
	const parameters = called(name, name === 'lead.getConversions' ? {} : { limit });
	const { hints } = await lab.engine.run(parameters, { input });
	const sameList = texts(hints).filter((text) => text.includes('input items read'));
	expect(sameList).toEqual(said.map((text) => expect.stringMatching(`${text}.*Execute Once`)));
});
