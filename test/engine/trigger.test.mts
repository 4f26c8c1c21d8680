/** Runs the trigger in n8n's real poll context, against the sandbox. */
import type { IDataObject } from 'n8n-workflow';

import { clock } from '#built/nodes/IntegrationLeads/transport/clock';
import { by, fastClock, useLab } from '../helpers/lab.mts';
import { onlyLong } from '../helpers/long.mts';
import { VARIANTS } from '../helpers/variants.mts';

const lab = useLab({ seed: 250 }, () => fastClock(200));

/** The form that differs most from the documented one: nothing counts the leads, and they are in no order. */
const FAR = VARIANTS.find(({ order }) => order === 'random')!;
const both = { triggerOn: ['lead.created', 'lead.statusChanged'] };
const create = (externalId: string) => lab.sandbox.controls.createLead({ externalId });
const move = (id: string, status: string) => lab.sandbox.controls.changeLead({ id, status });
const events = (polled: IDataObject[] | null) =>
	polled?.map(({ event, previousStatus, status, lead }) => [
		event,
		(lead as IDataObject).externalId,
		previousStatus ?? null,
		status,
	]) ?? null;

test('existing leads are not emitted; leads created or changed later are, once', async () => {
	const trigger = lab.engine.trigger(both);
	expect(await trigger.poll()).toBeNull();
	expect(await trigger.poll()).toBeNull();
	const { id } = create('new');
	expect(events(await trigger.poll())).toEqual([['lead.created', 'new', null, 'open']]);
	move(id, 'closed_won');
	expect(events(await trigger.poll())).toEqual([
		['lead.statusChanged', 'new', 'open', 'closed_won'],
	]);
	expect(await trigger.poll()).toBeNull();
});

test('an event has the documented shape', async () => {
	const trigger = lab.engine.trigger({ ...both, includeFullLead: true });
	await trigger.poll();
	// Leads show no phone: it comes from the contact.
	const contact = { name: 'Contact A', email: 'a@example.com', phone: '+5511900000001' };
	const { id: contactId } = lab.sandbox.store.createContact(contact);
	const { id } = lab.sandbox.controls.createLead({ externalId: 'new', contactId });
	const [event] = (await trigger.poll()) ?? [];
	expect(Object.entries(event)).toEqual([
		['event', 'lead.created'],
		['name', 'Contact A'],
		['email', 'a@example.com'],
		['phone', '+5511900000001'],
		['status', 'open'],
		['leadId', id],
		['externalId', 'new'],
		['detectedAt', expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)],
		['redelivered', false],
		['eventId', expect.stringMatching(/^[0-9a-f]{32}$/)],
		['lead', expect.objectContaining({ id, externalId: 'new', estimatedValue: null, notes: null })],
	]);
});

test('a key that may not read contacts gets events without the phone, and the first one says so', async () => {
	const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:read'] });
	const trigger = lab.withKey(key).trigger(both);
	await trigger.poll();
	const { id: contactId } = lab.sandbox.store.createContact({ phone: '+5511900000002' });
	for (const externalId of ['one', 'two']) {
		lab.sandbox.controls.createLead({ externalId, contactId });
	}
	const polled = await trigger.poll();
	expect(events(polled)).toHaveLength(2);
	expect(JSON.stringify(polled)).not.toContain('+5511900000002');
	const note = expect.stringContaining('contacts:read') as string;
	expect(polled?.map((event) => event.note)).toEqual([note, null]);
	expect(trigger.logged).toEqual([note]);
	expect(await trigger.poll({ mode: 'manual' })).toMatchObject([{ sample: true, note }]);
});

test.each(['/leads/', '/contacts/'])(
	'an event whose record cannot be read at %s comes with what is listed',
	async (path) => {
		const trigger = lab.engine.trigger(both);
		await trigger.poll();
		const { id: contactId } = lab.sandbox.store.createContact({ name: 'Contact C' });
		lab.sandbox.controls.createLead({ externalId: 'odd', contactId });
		lab.sandbox.controls.fault({ kind: 'status', status: 422, match: { path }, times: 10 });
		const polled = await trigger.poll();
		lab.sandbox.controls.clearFaults();
		expect(polled).toMatchObject([{ externalId: 'odd', name: 'Contact C' }]);
	},
);

test('another process emits the last events again, marked, and then goes on', async () => {
	const before = lab.engine.trigger(both);
	await before.poll();
	create('new');
	const [first] = (await before.poll()) ?? [];
	const stored = before.staticData();
	lab.engine.restart();
	create('newer');
	const restarted = lab.engine.trigger(both, stored);
	const [again, newer] = (await restarted.poll()) ?? [];
	// Each lead is read for it.
	expect(again).toMatchObject({ ...first, redelivered: true });
	expect(newer).toMatchObject({ redelivered: false, lead: { externalId: 'newer' } });
	expect(await restarted.poll()).toBeNull();
});

test('a workflow that is loaded again in the same process repeats nothing', async () => {
	const before = lab.engine.trigger(both);
	await before.poll();
	create('new');
	await before.poll();
	expect(await lab.engine.trigger(both, before.staticData()).poll()).toBeNull();
});

describe('with durable polling', () => {
	afterEach(() => fastClock(200));

	test('what was created between activation and the first poll is emitted, also by another process', async () => {
		const table = {};
		const activated = lab.engine.trigger(both, {}, table);
		expect(await activated.poll()).toBeNull();
		create('new');
		lab.engine.restart();
		const next = lab.engine.trigger(both, activated.staticData(), table);
		expect(events(await next.poll())).toEqual([['lead.created', 'new', null, 'open']]);
		expect(await next.poll()).toBeNull();
	});

	test('a poll from an old state makes no request; events that were not stored come half a minute later', async () => {
		const now = fastClock(1);
		const table: { cursor?: IDataObject } = {};
		const trigger = lab.engine.trigger(both, {}, table);
		await trigger.poll();
		await trigger.poll();
		const { cursor } = table;
		create('new');
		const [first] = (await trigger.poll()) ?? [];
		const requests = lab.sandbox.controls.requests().length;
		expect(await trigger.poll({ cursor })).toBeNull();
		expect(lab.sandbox.controls.requests().length).toBe(requests);
		table.cursor = cursor;
		clock.now = () => now() + 30_000;
		const [again] = (await trigger.poll()) ?? [];
		expect(again).toMatchObject({ eventId: first.eventId, redelivered: true });
	});
});

test.each([FAR, ...onlyLong(VARIANTS)])(
	'events are the same when the service answers with %j',
	async (variant) => {
		lab.sandbox.controls.variant(variant);
		const trigger = lab.engine.trigger({ ...both, includeFullLead: true });
		for (let poll = 0; poll < 3; poll += 1) expect(await trigger.poll()).toBeNull();
		const { id } = create('new');
		const polls = [await trigger.poll(), await trigger.poll()];
		move(id, 'closed_won');
		for (let poll = 0; poll < 2; poll += 1) polls.push(await trigger.poll());
		expect(polls.flatMap((polled) => events(polled) ?? [])).toEqual([
			['lead.created', 'new', null, 'open'],
			['lead.statusChanged', 'new', 'open', 'closed_won'],
		]);
	},
);

test('a lead that gets a watched tag, and one that is created with it', async () => {
	const trigger = lab.engine.trigger({ triggerOn: ['lead.tagged'], tags: ['vip', 'hot lead'] });
	const { id } = create('old');
	await trigger.poll();
	lab.sandbox.controls.changeLead({ id, tags: ['demo', 'vip'] });
	lab.sandbox.controls.createLead({ externalId: 'new', tags: ['hot lead'] });
	const tagged = (await trigger.poll())?.map(({ event, externalId, tag }) => [
		event,
		externalId,
		tag,
	]);
	expect(tagged?.sort()).toEqual([
		['lead.tagged', 'new', 'hot lead'],
		['lead.tagged', 'old', 'vip'],
	]);
	expect(await trigger.poll()).toBeNull();
});

test('only leads with a tag', async () => {
	const trigger = lab.engine.trigger({ ...both, filters: { tag: by('list', 'vip') } });
	await trigger.poll();
	lab.sandbox.controls.createLead({ externalId: 'without' });
	lab.sandbox.controls.createLead({ externalId: 'with', tags: ['vip'] });
	expect(events(await trigger.poll())).toEqual([['lead.created', 'with', null, 'open']]);
});

test.each<[string, string, string]>([
	['a word for it', 'ganho', 'closed_won'],
	['its name in other letters', 'Closed Won', 'closed_won'],
	['a status of the account', 'Ganho', 'ganho'],
])('a change to a status is emitted that is given as %s', async (_, given, status) => {
	const trigger = lab.engine.trigger({ ...both, toStatus: `={{ ["${given}"] }}` });
	const { id } = create('new');
	await trigger.poll();
	move(id, 'lost');
	expect(await trigger.poll()).toBeNull();
	move(id, status);
	expect(events(await trigger.poll())).toEqual([['lead.statusChanged', 'new', 'lost', status]]);
});

test.each<[string, IDataObject, string]>([
	['no event', { triggerOn: [] }, '"Trigger On" is empty'],
	['no tag', { triggerOn: ['lead.tagged'], tags: [] }, '"Tags" is empty'],
	['a blank tag', { triggerOn: ['lead.tagged'], tags: '={{ undefined }}' }, '"Tags" is empty'],
	[
		'a filter that hides leads until they are tagged',
		{ triggerOn: ['lead.tagged'], tags: ['vip'], filters: { tag: by('list', 'vip') } },
		'"Filters" has a "Tag"',
	],
	['a blank status', { ...both, fromStatus: '={{ undefined }}' }, '"From Status" is empty'],
	['an object for a filter', { filters: { search: { a: 1 } } }, '"Search" must be text'],
	['no number of days', { watchWithinDays: 'many' }, '"Watch Leads Created Within (Days)"'],
	['a switch that is neither', { includeFullLead: 'perhaps' }, '"Include Full Lead"'],
])('%s is refused by name', async (_, parameters, named) => {
	await expect(lab.engine.trigger({ ...both, ...parameters }).poll()).rejects.toMatchObject({
		message: expect.stringContaining(named) as string,
		failure: { cause: 'configuration-invalid' },
	});
});

test('polls of one trigger do not overlap', async () => {
	const trigger = lab.engine.trigger(both);
	await trigger.poll();
	create('new');
	const polled = await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
	expect(polled.filter(Boolean)).toHaveLength(1);
});

describe('when the service fails', () => {
	test.each([
		[403, 'FORBIDDEN', 'The API key does not permit: Watch leads', 'configuration-invalid'],
		[
			503,
			'DOWN',
			'The leads service is not available right now (HTTP 503)',
			'temporarily-unavailable',
		],
	])(
		'%s %s is thrown with its cause, and nothing is lost',
		async (status, code, message, cause) => {
			const trigger = lab.engine.trigger(both);
			await trigger.poll();
			const stored = trigger.staticData();
			create('new');
			const body = { success: false, error: { code, message: 'no' } };
			lab.sandbox.controls.fault({ kind: 'status', status, body, times: 100 });
			await expect(trigger.poll()).rejects.toMatchObject({ message, failure: { cause } });
			expect(trigger.staticData()).toEqual(stored);
			lab.sandbox.controls.clearFaults();
			expect(events(await trigger.poll())).toEqual([['lead.created', 'new', null, 'open']]);
		},
	);

	test('after a failure in the middle of a poll, what was read before is used', async () => {
		const trigger = lab.engine.trigger({ ...both, includeFullLead: false });
		await trigger.poll();
		create('new');
		lab.sandbox.controls.fault({
			kind: 'status',
			status: 500,
			match: { method: 'GET', nth: 3 },
			times: 50,
		});
		expect(events(await trigger.poll())).toEqual([['lead.created', 'new', null, 'open']]);
		expect(trigger.logged).toEqual([
			expect.stringMatching(/not available.*waits for the next poll/),
		]);
		lab.sandbox.controls.clearFaults();
		expect(await trigger.poll()).toBeNull();
	});
});

describe('when the poll with which n8n starts the trigger fails', () => {
	const refuseKey = () => {
		const body = { success: false, error: { code: 'UNAUTHORIZED', message: 'no' } };
		lab.sandbox.controls.fault({ kind: 'status', status: 401, body, times: 100 });
	};
	const refused = { message: 'The API key was not accepted' };

	test.each<[string, { cursor?: IDataObject } | undefined]>([
		['ordinary', undefined],
		['durable', {}],
	])(
		'it is a failed execution, and with a corrected key nothing is lost: %s polling',
		async (_, table) => {
			create('earlier');
			refuseKey();
			const trigger = lab.engine.trigger(both, {}, table);
			expect(await trigger.poll()).toBeNull();
			expect(trigger.failed).toMatchObject([refused]);
			create('new');
			await expect(trigger.poll()).rejects.toMatchObject(refused);
			lab.sandbox.controls.clearFaults();
			expect(events(await trigger.poll())).toEqual([['lead.created', 'new', null, 'open']]);
			expect(await trigger.poll()).toBeNull();
			expect(trigger.failed).toHaveLength(1);
		},
	);

	test('after a restart of n8n, it goes on where it stopped', async () => {
		const before = lab.engine.trigger(both);
		await before.poll();
		const stored = before.staticData();
		create('new');
		refuseKey();
		const trigger = lab.engine.trigger(both, stored, undefined, 'init');
		expect(await trigger.poll()).toBeNull();
		expect(trigger.failed).toMatchObject([refused]);
		expect(trigger.staticData()).toEqual(stored);
		lab.sandbox.controls.clearFaults();
		expect(events(await trigger.poll())).toEqual([['lead.created', 'new', null, 'open']]);
	});

	test('a mistake in the settings is a failed execution when n8n starts, as nobody is publishing', async () => {
		const trigger = lab.engine.trigger({ triggerOn: [] }, {}, undefined, 'init');
		expect(await trigger.poll()).toBeNull();
		expect(trigger.failed).toMatchObject([{ message: '"Trigger On" is empty' }]);
	});
});

describe('a poll ends within its budget', () => {
	// What hangs is cut off in real time.
	beforeAll(() => fastClock(1));
	afterAll(() => fastClock(200));
	const hangAfter = (answered: number) =>
		lab.sandbox.controls.fault({
			kind: 'slow',
			ms: 60_000,
			match: { nth: answered + 1 },
			times: 1000,
		});

	test('and the next one continues', async () => {
		hangAfter(4);
		const trigger = lab.engine.trigger(both);
		await trigger.poll({ budgetMs: 1200 });
		lab.sandbox.controls.clearFaults();
		create('new');
		const polls: unknown[] = [];
		for (let poll = 0; poll < 4; poll += 1) polls.push(events(await trigger.poll()));
		expect(polls.filter(Boolean)).toEqual([[['lead.created', 'new', null, 'open']]]);
	});

	test('and fails when it could not even start', async () => {
		hangAfter(0);
		const trigger = lab.engine.trigger(both);
		const expected = {
			message: 'Watching leads could not start in the time that n8n gives a poll',
			failure: { cause: 'temporarily-unavailable' },
		};
		expect(await trigger.poll({ budgetMs: 500 })).toBeNull();
		expect(trigger.failed).toMatchObject([expected]);
		await expect(trigger.poll({ budgetMs: 500 })).rejects.toMatchObject(expected);
	});
});

describe('a manual test run', () => {
	test.each(['asc', 'desc'] as const)(
		'shows the newest lead of a list that is %s in the shape of an event, and leaves the state alone',
		async (order) => {
			lab.sandbox.controls.variant({ order });
			const trigger = lab.engine.trigger(both);
			await trigger.poll();
			const stored = trigger.staticData();
			create('newest');
			const [sample] = (await trigger.poll({ mode: 'manual' })) ?? [];
			expect(sample).toMatchObject({
				event: 'lead.created',
				sample: true,
				lead: { externalId: 'newest' },
			});
			expect(trigger.staticData()).toEqual(stored);
			const [{ lead, ...event }] = (await trigger.poll()) ?? [];
			expect(Object.keys(sample)).toEqual([...Object.keys(event), 'sample', 'lead']);
			expect(Object.keys(sample.lead as IDataObject)).toEqual(Object.keys(lead as IDataObject));
		},
	);

	test('shows a change of status where that is watched', async () => {
		const trigger = lab.engine.trigger({
			triggerOn: ['lead.statusChanged'],
			fromStatus: ['open'],
			toStatus: ['closed_won'],
		});
		const [sample] = (await trigger.poll({ mode: 'manual' })) ?? [];
		expect(sample).toMatchObject({
			event: 'lead.statusChanged',
			previousStatus: 'open',
			status: 'closed_won',
			lead: { status: 'closed_won' },
			sample: true,
		});
	});

	test('shows a lead with a watched tag', async () => {
		create('newest');
		const trigger = lab.engine.trigger({ triggerOn: ['lead.tagged'], tags: ['vip'] });
		const [sample] = (await trigger.poll({ mode: 'manual' })) ?? [];
		expect(sample).toMatchObject({ event: 'lead.tagged', tag: 'vip', sample: true });
		expect((sample.lead as IDataObject).tags).toContain('vip');
	});

	test('states that there is no lead to show', async () => {
		const trigger = lab.engine.trigger({ ...both, filters: { search: 'nobody has this' } });
		const [sample] = (await trigger.poll({ mode: 'manual' })) ?? [];
		expect(sample).toMatchObject({ sample: true, note: expect.stringMatching(/made up/) });
	});
});
