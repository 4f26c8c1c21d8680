/** Pushing leads in bulk: which requests, and one outcome for each item. */
import { map } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { clock } from '#built/nodes/IntegrationLeads/transport/clock';
import { fastClock, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 5 }, () => fastClock(200));

const byName = { mappingMode: 'autoMapInputData', value: null };
const push = { resource: 'sync', operation: 'push', lead: byName };
const rows = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ externalId: `row-${n}` }));
const goOn = { input: rows(2), onError: 'continueRegularOutput' as const };
const sent = () =>
	writes(lab.sandbox).flatMap(({ body }) => {
		const { leads } = body as { leads?: IDataObject[] };
		return leads ? [leads] : [];
	});

// That 1,000 rows take 10 requests is shown in rows.test.mts.
test('each item gives its own lead, the external ID first and the ID last', async () => {
	const input = rows(3);
	const { items } = await lab.engine.run(push, { input });
	expect(items.map(({ json, pairedItem }) => [json.externalId, json.result, pairedItem])).toEqual(
		input.map(({ externalId }, item) => [externalId, 'created', { item }]),
	);
	const columns = Object.keys(items[0].json);
	expect([columns[0], columns.at(-1)]).toEqual(['externalId', 'id']);
});

test('an option that is an expression counts for each row', async () => {
	const input = rows(5).map((row, n) => ({ ...row, size: n < 3 ? 2 : 1 }));
	const options = { batchSize: '={{ $json.size }}' };
	const { error } = await lab.engine.run({ ...push, options }, { input });
	expect([error, map(sent(), 'length').sort()]).toEqual([undefined, [1, 1, 1, 2]]);
});

test('a status and a priority in another language, mapped by hand, are the known ones and no new ones', async () => {
	const value = {
		externalId: '={{ $json.externalId }}',
		status: '={{ $json.stage }}',
		priority: '=Alta',
	};
	const lead = { mappingMode: 'defineBelow', value };
	const input = rows(3).map((row, n) => ({ ...row, stage: ['won', 'perdido', 'flying'][n] }));
	const { items, error } = await lab.engine.run({ ...push, lead }, { input });
	expect([error, items.length]).toEqual([undefined, 3]);
	const leads = [...lab.sandbox.store.leads.values()].slice(-3);
	expect(map(leads, 'status').sort()).toEqual(['closed_lost', 'flying', 'won']);
	expect(map(leads, 'priority')).toEqual(['high', 'high', 'high']);
});

test('a row that is sent individually keeps its place among the rows of its lead', async () => {
	const value = {
		externalId: '={{ $json.id }}',
		status: '={{ $json.stage }}',
		notes: '={{ $json.n }}',
	};
	const lead = { mappingMode: 'defineBelow', value };
	const stages = ['open', 'perdido', 'won'];
	const input = stages.map((stage, n) => ({ id: 'row', stage, n: String(n) }));
	const { items } = await lab.engine.run({ ...push, lead }, { input });
	expect(items).toHaveLength(3);
	expect(lab.sandbox.store.leadByExternalId('row')).toMatchObject({ status: 'won', notes: '2' });
});

/** Rows of what is shown and of JSON, one in a line. */
const parseTable = (table: string): Array<[string, ...IDataObject[]]> =>
	[...table.matchAll(/^\| (.*) \|$/gm)].map(([, row]) => {
		const [what, ...cells] = row.split(' | ');
		return [what, ...cells.map((cell) => JSON.parse(cell) as IDataObject)];
	});

test.each(
	parseTable(`
| fields by name, the contact inside | {} | {"externalId": 7, "name": "Contact A", "email": "a@example.com", "phone": "5511900000001@s.whatsapp.net", "estimatedValue": "1500.50", "saleDate": "2026-01-31 10:00", "tags": "a, b", "notes": "", "Lead status": null} | {"externalId": "7", "contact": {"name": "Contact A", "email": "a@example.com", "phone": "+5511900000001"}, "estimatedValue": 1500.5, "saleDate": "2026-01-31T13:00:00.000Z", "tags": ["a", "b"]} |
| of a contact that was read only who it is | {} | {"protocol": "ML-AB12-CD34", "contact": {"id": "c", "name": "Contact A", "externalId": "p-1", "status": "x", "notes": "x", "tags": ["x"]}} | {"protocol": "ML-AB12-CD34", "contactId": "c", "contact": {"name": "Contact A"}} |
| fields mapped by hand | {"lead": {"mappingMode": "defineBelow", "value": {"externalId": "={{ 'n-' + $json.n }}", "status": "open", "notes": ""}}} | {"n": 3, "status": "other"} | {"externalId": "n-3", "status": "open"} |
| JSON as it is, with more fields | {"specifyLeads": "json", "leadJson": "={{ $json.row }}", "options": {"additionalBody": "{\\"x\\": 1}"}} | {"row": {"externalId": "j", "notes": "", "own": [1]}} | {"externalId": "j", "notes": "", "own": [1], "x": 1} |`),
)('sends %s', async (_, parameters, row, lead) => {
	await lab.engine.run({ ...push, ...parameters }, { input: [row], timezone: 'America/Sao_Paulo' });
	expect(sent()).toEqual([[lead]]);
});

test('of rows that share an address, the first goes ahead, and the others share a request', async () => {
	const emails = ['x', 'y', 'x', 'x'].map((name) => `${name}@example.com`);
	const before = lab.sandbox.store.contacts.size;
	await lab.engine.run(push, { input: rows(4).map((row, n) => ({ ...row, email: emails[n] })) });
	expect(sent().map(({ length }) => length)).toEqual([2, 2]);
	expect(lab.sandbox.store.contacts.size - before).toBe(2);
});

describe('a lead without an ID', () => {
	const known = ['crm-1', 'crm-2'].map((externalId) => ({
		externalId,
		email: `${externalId}@example.com`,
	}));
	const sentIds = () => sent().map((batch) => batch.map(({ externalId }) => externalId));

	test('is the one with its email or phone, or a new one, in the order of the rows', async () => {
		const contact = { resource: 'contact', operation: 'create' };
		const options = { additionalBody: '{"email": "no.id@example.com", "phone": "+5511900000009"}' };
		const { items: created } = await lab.engine.run({ ...contact, options });
		const { id } = lab.sandbox.controls.createLead({
			contactId: String(created[0].json.id),
			tags: ['vip'],
		});
		await lab.engine.run(push, { input: known });
		lab.sandbox.controls.clearRequests();
		const before = lab.sandbox.store.leads.size;
		const input = [
			{ email: 'CRM-1@example.com', notes: 'n' },
			{ email: 'new@example.com' },
			{ phone: '+55 11 98765-4321' },
			{ email: 'no.id@example.com', phone: '+5511900000009', tags: 'new' },
			{ externalId: 'crm-9', email: 'late@example.com' },
			{ email: 'late@example.com' },
			{ email: 'new@example.com', notes: 'again' },
		];
		const { items, hints } = await lab.engine.run(push, { ...goOn, input });
		const [byEmail, byPhone] = ['new@example.com', '+5511987654321'];
		expect(items.map(({ json }) => json.externalId ?? json.id)).toEqual([
			...['crm-1', byEmail, byPhone],
			id,
			...['crm-9', 'crm-9', byEmail],
		]);
		expect(sentIds()).toEqual([
			['crm-9'],
			['crm-9'],
			['crm-1', byEmail, byPhone],
			// A row of an address that an earlier one has finds what that one created.
			[byEmail],
		]);
		expect(lab.sandbox.store.leadByExternalId(byEmail)?.notes).toBe('again');
		// One without an external ID is updated by its ID.
		expect([items[3].json.created, items[3].json.tags]).toEqual([false, ['vip', 'new']]);
		expect(lab.sandbox.store.leads.size - before).toBe(3);
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(
				/^Items 1, 2, .*: Leads without an External ID are looked up by their email or phone/,
			),
		);
	});

	test('is not the one of somebody else who shares the phone, and says what of another name', async () => {
		const phone = '+5511987650001';
		const [ana, bia] = ['Ana Souza', 'Bia Lima'].map((name) => {
			return { name, phone, email: `${name.slice(0, 3).toLowerCase()}@example.com` };
		});
		const input = [
			ana,
			{ ...bia, notes: 'n' },
			{ name: 'Caio Reis', phone },
			{ ...ana, name: 'Ana' },
		];
		const { items, hints } = await lab.engine.run(push, { ...goOn, input });
		expect(items[1].json.error).toBe(
			'The phone "+5511987650001" of an earlier item is that of another person: Ana Souza · ana@example.com · +5511987650001, not Bia Lima · bia@example.com · +5511987650001',
		);
		expect(items.map(({ json }) => json.differences)).toEqual([
			...[undefined, undefined, 'Contact Name is "Ana Souza", not "Caio Reis".'],
			'Contact Name is "Ana Souza", not "Ana".',
		]);
		expect(JSON.stringify(hints)).toMatch(/Items 3, 4: The service holds other values/);
		expect(lab.sandbox.store.leadByExternalId(ana.email)?.notes).not.toBe('n');
	});

	test('takes the ID of another row of the person, and is written in the order of the rows', async () => {
		const ana = { name: 'Ana', email: 'ana@example.com' };
		const input = [
			{ ...ana, notes: 'first' },
			{ ...ana, externalId: 'crm-1', notes: 'second' },
			{ email: 'two@example.com' },
			...['a', 'b'].map((externalId) => ({ externalId, email: 'two@example.com' })),
			// Another person who shares the email.
			{ name: 'Caio Reis', email: 'ana@example.com' },
		];
		const { items } = await lab.engine.run(push, { ...goOn, input });
		expect(items.map(({ json }) => json.error ?? json.externalId)).toEqual([
			...['crm-1', 'crm-1'],
			expect.stringMatching(/^It is unclear which lead is meant: .* leads to 2 leads/),
			...['a', 'b', 'crm-1'],
		]);
		expect(lab.sandbox.store.leadByExternalId('crm-1')?.notes).toBe('second');
	});

	test('is not given the ID of a row with a tracking code, whose lead may have another', async () => {
		const protocol = 'ML-AA11-BB22';
		lab.sandbox.controls.createLead({ protocol });
		const email = 'ana@example.com';
		const input = [{ protocol, externalId: 'crm-1', email }, { email }];
		const { items } = await lab.engine.run(push, { ...goOn, input });
		expect(items.map(({ json }) => json.error)).toEqual([undefined, undefined]);
		const reads = lab.sandbox.controls.requests().filter(({ method }) => method === 'GET');
		expect(reads.map(({ query }) => query.search)).toContain(email);
	});

	test('whose email is the external ID of others is in no request with them', async () => {
		const email = 'ana@example.com';
		const input = [
			{ externalId: email, email },
			{ email, notes: 'second' },
			{ email, notes: 'third' },
		];
		const { items } = await lab.engine.run(push, { ...goOn, input });
		expect(items.map(({ json }) => json.externalId)).toEqual([email, email, email]);
		expect(sentIds()).toEqual([[email], [email], [email]]);
		expect(lab.sandbox.store.leadByExternalId(email)?.notes).toBe('third');
	});

	test('goes after those with an ID', async () => {
		await lab.engine.run(push, { input: known });
		lab.sandbox.controls.clearRequests();
		const [{ externalId, email }] = known;
		const input = [{ externalId }, { email, notes: 'second' }, { email: known[1].email }];
		lab.sandbox.controls.fault({ kind: 'slow', ms: 300, when: 'after', match: { method: 'POST' } });
		await lab.engine.run(push, { input });
		expect(sentIds()).toEqual([['crm-1'], ['crm-1', 'crm-2']]);
		expect(lab.sandbox.store.leadByExternalId('crm-1')?.notes).toBe('second');
	});

	test.each<[what: string, first: IDataObject, requests: number]>([
		['new, or known with all that it has', { name: 'Ana', email: 'ana@example.com' }, 1],
		['known with a contact that lacks a name', { email: 'ana@example.com' }, 3],
	])('takes a look-up, and a request that it shares, where it is %s', async (_, first, more) => {
		const row = { name: 'Ana', email: 'ana@example.com' };
		const others = rows(3).map((_row, n) => ({ name: `B${n}`, email: `b${n}@example.com` }));
		const counts = [];
		for (const input of [
			[first, ...others],
			[row, ...others],
		]) {
			lab.sandbox.controls.clearRequests();
			const { error } = await lab.engine.run(push, { input });
			expect(error).toBeUndefined();
			counts.push(lab.sandbox.controls.requests().length - input.length);
		}
		// A lead whose contact is filled is sent individually, with a request to read the contact and one to write it.
		expect(counts).toEqual([1, more === 1 ? 1 : 1 + more]);
	});

	test('is in a batch once, where an email and a phone lead to it', async () => {
		const ana = { externalId: 'crm-1', name: 'Ana', email: 'ana@example.com' };
		await lab.engine.run(push, { input: [{ ...ana, phone: '+5511987650001' }] });
		lab.sandbox.controls.clearRequests();
		const input = [{ email: ana.email }, { phone: '+5511987650001', notes: 'second' }];
		const { items } = await lab.engine.run(push, { input });
		expect(items.map(({ json }) => json.externalId)).toEqual(['crm-1', 'crm-1']);
		expect(sentIds()).toEqual([['crm-1']]);
		expect(lab.sandbox.store.leadByExternalId('crm-1')?.notes).toBe('second');
	});

	test('keeps the order of its rows where the first fills its contact', async () => {
		const ana = { email: 'ana@example.com', phone: '+5511987650001' };
		await lab.engine.run(push, { input: [{ externalId: 'crm-1', ...ana }] });
		const input = [
			{ phone: ana.phone, name: 'Ana Souza', notes: 'first' },
			{ email: ana.email, notes: 'second' },
		];
		await lab.engine.run(push, { input });
		expect(lab.sandbox.store.leadByExternalId('crm-1')?.notes).toBe('second');
	});

	test('is not sent again when n8n repeats the node for another', async () => {
		const { controls } = lab.sandbox;
		const match = { method: 'POST', path: '/sync', nth: 2 };
		controls.fault({ kind: 'status', status: 422, match });
		const input = ['a', 'b'].map((name) => ({ email: `${name}@example.com` }));
		const options = { batchSize: 1 };
		const { items, error } = await lab.engine.run({ ...push, options }, { input, retry: true });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.created)).toEqual([true, true]);
		expect(sentIds().flat().sort()).toEqual(['a', 'b', 'b'].map((name) => `${name}@example.com`));
	});

	test('fails alone where several leads have its email', async () => {
		const twice = ['a', 'b'].map((id) => ({ externalId: id, email: 'x@example.com' }));
		await lab.engine.run(push, { input: twice });
		const input = [{ email: 'x@example.com' }, { externalId: 'c' }];
		const { items } = await lab.engine.run(push, { ...goOn, input });
		expect(items.map(({ json }) => json.error ?? json.externalId)).toEqual([
			expect.stringMatching(/^It is unclear which lead is meant: .* leads to 2 leads/),
			'c',
		]);
	});
});

test('a lead that is refused fails its own item, and says which', async () => {
	const input = [{ externalId: 'good' }, { externalId: 'bad', saleDate: 1 }];
	const json = { ...push, specifyLeads: 'json', leadJson: '={{ $json }}' };
	const { items } = await lab.engine.run(json, { ...goOn, input });
	expect(items).toMatchObject([
		{ json: { externalId: 'good' }, pairedItem: { item: 0 } },
		{
			json: {
				input: input[1],
				error: expect.stringMatching(
					/^The leads service did not accept the lead "bad": .*saleDate/,
				) as string,
				message: 'Correct what it refused and run it again.',
			},
			pairedItem: { item: 1 },
		},
	]);
	const { error } = await lab.engine.run(json, { input });
	expect(error?.message).toMatch(/^Item 2: The leads service did not accept the lead "bad"/);
});

test('a batch is sent again where its leads go by their external ID, and those with a code go apart', async () => {
	const outage = { kind: 'status' as const, status: 503, when: 'after' as const };
	lab.sandbox.controls.fault(outage);
	const safe = await lab.engine.run(push, { input: rows(3) });
	expect([safe.error, writes(lab.sandbox).length]).toEqual([undefined, 2]);
	// The second answer says "updated" of what the first request has created.
	expect(safe.items.map(({ json }) => json.created)).not.toContain(false);
	lab.sandbox.controls.reset();
	lab.sandbox.controls.fault(outage);
	const input = [...rows(3), { externalId: 'z', protocol: 'ML-AB12-CD34' }];
	const unsafe = await lab.engine.run(push, { input });
	expect([unsafe.error, writes(lab.sandbox).length]).toEqual([undefined, 3]);
	lab.sandbox.controls.reset();
	lab.sandbox.controls.fault(outage);
	const byCode = await lab.engine.run(push, { input: input.slice(3) });
	expect(byCode.error?.description).toMatch(/^The service may still have recorded it/);
	expect(writes(lab.sandbox)).toHaveLength(1);
});

const refusedKey = /key was not accepted/;
test.each<[string, number, object, RegExp, RegExp]>([
	[
		'a reason for one',
		422,
		{ message: 'Validation failed', errors: [{ externalId: 'row-1', message: 'bad phone' }] },
		/did not accept the request with the lead "row-0": Validation failed$/,
		/did not accept the lead "row-1": bad phone$/,
	],
	['a bad key', 401, { errors: ['row-1: no'] }, refusedKey, refusedKey],
	['a missing route', 404, { errors: ['row-1: no'] }, /^(?!.*the lead "row-1")/, /./],
])('a batch that failed as a whole, telling of %s, fails each lead', async (...given) => {
	const [, status, body, first, second] = given;
	lab.sandbox.controls.fault({ kind: 'status', status, body });
	const { items } = await lab.engine.run(push, goOn);
	expect(items.map(({ json }) => json.error)).toEqual([
		expect.stringMatching(first),
		expect.stringMatching(second),
	]);
	expect(lab.sandbox.controls.requests()).toHaveLength(1);
});

const LOST: Array<[what: string, lost: number, more: object]> = [
	['request', 1, {}],
	['try in an outage', 3, { mode: 'trigger' }],
	// Before 1.123, n8n does not try a node again that continues.
	['try of the node', 3, { retry: true, onError: 'stopWorkflow' }],
];

describe.each(LOST)(
	'what a lost %s has recorded is not refused with the one after it',
	(...lost) => {
		const run = async (body: object) => {
			const { controls } = lab.sandbox;
			const [, times, more] = lost;
			// Otherwise the service seems to have answered others meanwhile, and the request is sent five times.
			await clock.sleep(1000);
			controls.fault({ kind: 'status', status: 503, when: 'after', times });
			controls.fault({ kind: 'status', status: 422, body });
			const { items, error } = await lab.engine.run(push, { ...goOn, ...more });
			// It names what failed: one item of two.
			return error ? [true, error.message] : items.map(({ json }) => json.error ?? json.created);
		};

		test('which refuses one lead', async () => {
			const results = await run({ errors: [{ externalId: 'row-1', message: 'bad phone' }] });
			const refused = /did not accept the lead "row-1": bad phone$/;
			expect(results).toEqual([true, expect.stringMatching(refused)]);
		});

		test('which is refused as a whole', async () => {
			expect(await run({ error: { message: 'Too many rows' } })).toEqual([true, true]);
		});
	},
);

test('a batch is not refused in the words for its first lead', async () => {
	const body = { message: 'externalId is invalid' };
	lab.sandbox.controls.fault({ kind: 'status', status: 422, body });
	const input = [{ protocol: 'ML-AB12-CD34' }, ...rows(1)];
	const { items } = await lab.engine.run(push, { input, onError: 'continueRegularOutput' });
	for (const { json } of items) expect(json.error).toMatch(/externalId is invalid$/);
});

test('a lead that the answer does not mention is not explained with what it says of others', async () => {
	answerWith([{ externalId: 'row-0', success: false, message: 'bad phone' }]);
	const { items } = await lab.engine.run(push, { ...goOn, onError: 'continueRegularOutput' });
	expect(items[1].json.error).toMatch(
		/^The answer does not confirm the lead "row-1", .*, and names others only$/,
	);
});

const answerWith = (data: unknown, status = 200) =>
	lab.sandbox.controls.fault({ kind: 'status', status, body: { success: true, data } });

test('unread, leads about which the answer is unclear pass, marked, and the answer is shown without the key', async () => {
	answerWith({ created: 1, errors: [{ message: `no ${lab.sandbox.keys.full}` }] });
	const unread = { ...push, options: { readUnconfirmed: false } };
	const { items, hints } = await lab.engine.run(unread, goOn);
	const answer = '{"success":true,"data":{"created":1,"errors":[{"message":"no ***"}]}}';
	expect(items.map(({ json }) => json)).toEqual(
		rows(2).map((row) => ({ ...row, unconfirmed: true, answer })),
	);
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^The answer does not confirm some leads: /),
	]);
});

test('of leads about which the answer is unclear, only those are read for which that is chosen', async () => {
	answerWith({ created: 2 });
	const input = rows(2).map((row, n) => ({ ...row, reads: n === 1 }));
	const options = { readUnconfirmed: '={{ $json.reads }}' };
	const { items } = await lab.engine.run({ ...push, options }, { ...goOn, input });
	expect(items.map(({ json }) => [json.unconfirmed, json.error])).toEqual([
		[true, undefined],
		[undefined, expect.stringMatching(/^The answer does not confirm the lead "row-1"/)],
	]);
});

describe('leads about which the answer is unclear are read', () => {
	const records = rows(3).map((row) => ({ ...row, status: 'closed_won', notes: 'as sent' }));
	const sentRows = records.map(({ status, ...row }) => ({ ...row, 'Lead status': status }));
	/** What the answers leave open is shown in test/pure/batch.test.mts. */
	const natural: Array<[string, unknown]> = [
		['counts', { processed: 3, created: 2, updated: 1, failed: 0, errors: [] }],
		['no data', null],
		['entries with IDs', { leads: rows(3).map((row) => ({ ...row, id: 'x' })) }],
	];
	const old = (row: IDataObject) =>
		lab.sandbox.controls.createLead({ ...row, createdAt: '2026-01-31T12:00:00Z' });
	const reads = () => {
		const paths = lab.sandbox.controls.requests().filter(({ method }) => method === 'GET');
		return paths.map(({ path }) => path);
	};
	const pushed = async (data: unknown, when: 'before' | 'after', status = 200, run = {}) => {
		const body = { success: true, data };
		lab.sandbox.controls.fault({ kind: 'status', status, body, when });
		return await lab.engine.run(push, { ...goOn, input: sentRows, ...run });
	};

	test.each(natural)('%s: pass when the service holds them', async (_, data) => {
		const { items, hints } = await pushed(data, 'after');
		expect(items.map(({ json }) => json)).toMatchObject(
			records.map((row) => ({ ...row, created: true, confirmedBy: 'reading' })),
		);
		expect(hints).toEqual([]);
		expect(reads()).toEqual(['/leads/row-0', '/leads/row-1', '/leads/row-2']);
		expect(writes(lab.sandbox)).toHaveLength(1);
	});

	test.each(natural)('%s: one that is missing or differs fails', async (_, data) => {
		old(records[0]);
		old({ ...records[1], status: 'open' });
		const { items } = await pushed(data, 'before');
		expect(items.map(({ json }) => [json.confirmedBy ?? json.error, json.message])).toEqual([
			['reading', undefined],
			[
				expect.stringMatching(/^The answer does not confirm the lead "row-1", and the service/),
				expect.stringMatching(
					/^The service has it with other values: Status is "open", not "closed_won"\./,
				),
			],
			[
				expect.stringMatching(/^The answer does not confirm the lead "row-2", and the service/),
				expect.stringMatching(/^No lead has this external ID\./),
			],
		]);
		expect(items[0].json.created).toBe(false);
		expect([reads().length, writes(lab.sandbox).length]).toEqual([3, 1]);
	});

	test.each<[string, unknown]>([
		['says something of it', rows(3).map((row) => ({ ...row, situacao: 'recusado' }))],
		['counts fewer', { processed: 3, updated: 2, failed: 1 }],
	])(
		'one that was there before with the same values passes where the answer %s',
		async (_, data) => {
			records.forEach(old);
			const { items } = await pushed(data, 'before');
			expect(items.map(({ json }) => json.confirmedBy)).toEqual(items.map(() => 'reading'));
		},
	);

	test('one that was there before passes only if every field that was sent is shown', async () => {
		const store = records.map((row) => ({ ...row, createdAt: '2026-01-31T12:00:00Z' }));
		for (const [n, row] of rows(3).entries()) {
			const { notes: _notes, ...shown } = { ...store[n], id: `l-${n}` };
			const body = { success: true, data: { lead: n === 0 ? { ...store[n], id: 'l-0' } : shown } };
			const match = { method: 'GET', path: `/leads/${row.externalId}` };
			lab.sandbox.controls.fault({ kind: 'status', status: 200, body, match });
		}
		const { items } = await pushed({ count: 3 }, 'before');
		const hidden = expect.stringMatching(/^The service had it before, and does not show Notes\./);
		expect(items.map(({ json }) => json.message)).toEqual([undefined, hidden, hidden]);
	});

	test.each([
		['has it', '+5511911111111', 'reading'],
		['has another', '+5511922222222', expect.stringMatching(/Contact Phone is "\+5511922222222"/)],
	])('a phone is compared with the contact, which %s', async (_, phone, expected) => {
		const contactId = lab.sandbox.store.createContact({ name: 'Ana Souza', phone }).id;
		old({ externalId: 'row-0', contactId });
		const input = [{ 'External ID': 'row-0', Nome: 'Ana Souza', Telefone: '+5511911111111' }];
		const [{ json }] = (await pushed(null, 'before', 200, { input })).items;
		expect(json.confirmedBy ?? json.message).toEqual(expected);
	});

	test('leads of which the service shows one and the same record fail', async () => {
		const { notes, status } = records[0];
		const one = { id: 'l-1', notes, status, createdAt: '2026-01-31T12:00:00Z' };
		const lead = (record: object) => ({ success: true, data: { lead: record } });
		for (const [path, id] of [
			['/leads/row-0', 'l-0'],
			['/leads/row-', 'l-1'],
		]) {
			const body = lead({ ...one, id });
			const match = { method: 'GET', path };
			lab.sandbox.controls.fault({ kind: 'status', status: 200, body, match, times: 9 });
		}
		const { items } = await pushed(null, 'before');
		const shared =
			'The service shows the lead with the ID "l-1" for several external IDs: row-1, row-2.';
		expect(items.map(({ json }) => json.confirmedBy ?? json.message)).toEqual([
			'reading',
			...[1, 2].map(() => expect.stringContaining(shared) as string),
		]);
	});

	test('leads of two batches of which the service shows one and the same record do not both pass', async () => {
		const { notes, status } = records[0];
		const one = { id: 'l-1', notes, status, createdAt: '2026-01-31T12:00:00Z' };
		const body = { success: true, data: { lead: one } };
		const { controls } = lab.sandbox;
		const answer = { kind: 'status', status: 200, times: 2 } as const;
		controls.fault({ ...answer, body: { success: true }, match: { method: 'POST' } });
		controls.fault({ ...answer, body, match: { method: 'GET' } });
		const single = { ...push, options: { batchSize: 1 } };
		const { items } = await lab.engine.run(single, { ...goOn, input: sentRows.slice(0, 2) });
		const passed = items.filter(({ json }) => json.confirmedBy === 'reading');
		const failed = items.filter(({ json }) => json.error);
		expect([passed.length, failed.map(({ json }) => json.message)]).toEqual([
			1,
			[expect.stringMatching(/"l-1" for several external IDs: row-[01], row-[01]\./)],
		]);
	});

	test('of each batch only these, and none that it confirms or refuses', async () => {
		const data = {
			results: [{ externalId: 'row-0', success: true }],
			errors: [{ externalId: 'row-1', message: 'bad' }],
		};
		const { items } = await pushed(data, 'after');
		expect(items.map(({ json }) => json.confirmedBy ?? json.error)).toEqual([
			undefined,
			'The leads service did not accept the lead "row-1": bad',
			'reading',
		]);
		expect(reads()).toEqual(['/leads/row-2']);
	});

	test('one that cannot be found by an ID is not read', async () => {
		const json = { ...push, specifyLeads: 'json', leadJson: '={{ $json }}' };
		answerWith({ count: 1 });
		const { items } = await lab.engine.run(json, {
			...goOn,
			input: [{ protocol: 'ML-AB12-CD34' }],
		});
		expect(items[0].json.error).toBe(
			'The answer does not confirm this lead: {"success":true,"data":{"count":1}}',
		);
		expect(reads()).toEqual([]);
	});

	test('a lead that another item of the run created is compared', async () => {
		const { controls } = lab.sandbox;
		const answer = { kind: 'status' as const, status: 200, body: { count: 1 } };
		controls.fault({ ...answer, match: { method: 'POST', nth: 2 } });
		controls.fault({ ...answer, match: { method: 'POST' }, when: 'after' });
		const input = ['open', 'closed_won'].map((status) => ({
			externalId: 'twice',
			'Lead status': status,
		}));
		const { items } = await lab.engine.run(push, { ...goOn, input });
		expect(items.map(({ json }) => json.confirmedBy ?? json.message)).toEqual([
			'reading',
			expect.stringMatching(
				/^The service has it with other values: Status is "open", not "closed_won"/,
			),
		]);
	});

	test.each<[string, unknown, IDataObject | RegExp]>([
		['is shown and fails', { count: 3 }, /^The answer does not confirm the lead "row-0": /],
		['passes where the batch was accepted', {}, { unconfirmed: true }],
	])('without the scope, a lead %s', async (_, data, expected) => {
		const { key } = lab.sandbox.controls.addKey({ scopes: ['sync'] });
		lab.sandbox.controls.fault({
			kind: 'status',
			status: 200,
			body: { success: true, data },
			when: 'after',
		});
		const { items, hints } = await lab
			.withKey(key)
			.run({ ...push, options: { batchSize: 3 } }, { ...goOn, input: rows(3) });
		const [{ json }] = items;
		if (expected instanceof RegExp) expect(json.error).toMatch(expected);
		else expect(json).toMatchObject(expected);
		expect(hints.map(({ message }) => message)).toContainEqual(
			'Unconfirmed leads could not be read: the API key needs the scope "leads:read".',
		);
		expect(hints).toHaveLength(2);
		expect(reads()).toEqual(['/leads/row-0']);
	});

	test('a read that fails concerns its lead only', async () => {
		const match = { method: 'GET', path: '/leads/row-0' };
		lab.sandbox.controls.fault({ kind: 'status', status: 422, match });
		const { items, hints } = await pushed({ count: 3 }, 'after');
		expect(items.map(({ json }) => json.confirmedBy ?? json.error)).toEqual([
			expect.stringMatching(/^The answer does not confirm the lead "row-0": /),
			'reading',
			'reading',
		]);
		expect(hints[0].message).toMatch(/^Unconfirmed leads could not be read\. .*HTTP 422/);
	});

	test('one that is recorded later passes where the service says so (202)', async () => {
		const { items } = await pushed({ jobId: 'j-1' }, 'before', 202);
		expect(items.map(({ json }) => json.unconfirmed)).toEqual([true, true, true]);
	});

	test.each([
		['sent again by its external ID', {}, 2],
		['not sent again with a protocol', { protocol: 'ML-AB12-CD34' }, 1],
	])('one that failed is %s', async (_, more, count) => {
		lab.sandbox.controls.fault({ kind: 'status', status: 200, body: { count: 1 } });
		const input = [{ ...rows(1)[0], ...more }];
		const { error } = await lab.engine.run(push, { input, retry: true });
		expect([writes(lab.sandbox).length, Boolean(error)]).toEqual([count, count === 1]);
	});
});

test('leads whose JSON has no external ID share a request', async () => {
	const json = { ...push, specifyLeads: 'json', leadJson: '={{ $json }}' };
	lab.sandbox.controls.fault({
		kind: 'status',
		status: 200,
		body: [1, 2].map((id) => ({ id, ok: true })),
	});
	const { items } = await lab.engine.run(json, {
		input: [1, 2].map((n) => ({ externalId: null, protocol: `ML-AB12-${n}` })),
	});
	// Without an external ID only a lead that the code found can be the result.
	const linked = { created: false, linked: true };
	expect(items.map(({ json: lead }) => lead)).toEqual(
		[1, 2].map((id) => ({ id, ok: true, ...linked, sentProtocol: `ML-AB12-${id}` })),
	);
	expect(sent()).toHaveLength(1);
});

test.each([
	[
		'of which nothing is mapped',
		{ ...push, lead: { mappingMode: 'defineBelow', value: { notes: '={{ $json.notes }}' } } },
		{ name: 'Contact A' },
		'No field of the lead is mapped, or all are empty',
	],
	[
		'that is a list',
		{ ...push, specifyLeads: 'json', leadJson: '[{"externalId": "a"}]' },
		{},
		'"Lead (JSON)" must be a JSON object',
	],
])('a lead %s is refused before anything is sent', async (_, parameters, row, message) => {
	const { error } = await lab.engine.run(parameters, { input: [row] });
	expect(error?.message).toContain(message);
	expect(writes(lab.sandbox)).toEqual([]);
});
