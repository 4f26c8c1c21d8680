/** One item: requests until one returns a record, lists that are searched, and what the user is told. */
import { NodeApiError } from 'n8n-workflow';

import type { ServiceRecord } from '../../nodes/IntegrationLeads/contract/envelope';
import type { Alternative, Operation } from '../../nodes/IntegrationLeads/operation';
import type { Plan } from '../../nodes/IntegrationLeads/run/plan';
import { runSingle } from '../../nodes/IntegrationLeads/run/single';
import { UserError } from '../../nodes/IntegrationLeads/userError';
import { node } from '../helpers/node.mts';

const record = { singular: 'contact', plural: 'contacts', schema: 'Contact' };
const get = { method: 'GET', path: '/contacts', query: {}, repeatable: true } as const;
const post = { ...get, method: 'POST', body: { name: 'A' } } as const;
const one = { action: 'Do it', output: { kind: 'one', record }, parameters: [] };
const many = { ...one, output: { kind: 'many', record } };

/** Runs a plan while the service gives these answers, in order. */
async function run(
	plan: Record<string, unknown>,
	answers: unknown[],
	{
		settings = {},
		select = {},
		recorded = {},
	}: { settings?: Record<string, unknown>; select?: object; recorded?: object } = {},
) {
	const requests: Array<Record<string, unknown>> = [];
	const listings: Array<Plan['listing']> = [];
	const hints = new Set<string>();
	const send = async (request: object, about: object) => {
		requests.push({ ...request, about });
		const data = answers[requests.length - 1];
		if (data instanceof Error) throw data;
		return { status: data === undefined ? 204 : 200, data, siblings: {} };
	};
	const services = {
		client: { send },
		hints,
		created: {
			claim: () => undefined,
			send: async ({ listing }: Pick<Plan, 'listing'>, request: object, about: object) => {
				listings.push(listing);
				return { answer: await send(request, about), adds: { created: true } };
			},
		},
		locator: {
			select: async (records: ServiceRecord[]) => ({ matches: records, unclear: [], ...select }),
			name: () => 'those',
		},
		recorded,
	};
	const whole = {
		request: get,
		targets: [],
		match: {},
		read: (name: string) => settings[name],
		...plan,
	};
	const items = await runSingle(whole as never, services as never);
	return { items, requests, listings, hints: [...hints] };
}

describe('one request', () => {
	it('adds what the creation and its answer show', async () => {
		const operation = { ...one, outcome: () => ({ matched: false }) };
		const { items, requests } = await run({ operation, request: post }, [{ contact: { id: 'c' } }]);
		expect(items).toEqual([{ id: 'c', created: true, matched: false }]);
		expect(requests).toHaveLength(1);
	});

	it.each([
		['the output is no record', { output: { kind: 'deleted' } }, post],
		['the body is no record', {}, { ...post, body: ['A'] }],
	])('has no outcome where %s', async (_, more, request) => {
		const outcome = () => {
			throw new Error('not to be called');
		};
		const { items } = await run({ operation: { ...one, ...more, outcome }, request }, [
			{ id: 'c' },
		]);
		expect(items).toHaveLength(1);
	});

	it('is not sent for what was recorded earlier in the execution', async () => {
		const once = { key: 'k', label: 'Message ID', value: 'm' };
		const recorded = {};
		const plan = { operation: one, request: post, once };
		const first = await run(plan, [{ contact: { id: 'c' } }], { recorded });
		expect(first.items).toEqual([{ id: 'c', created: true }]);
		const second = await run(plan, [], { recorded });
		expect(second).toMatchObject({ items: [{ id: 'c', created: false }], requests: [] });
	});

	it('says that the answer has no ID', async () => {
		const { hints } = await run({ operation: one, request: post }, [{ contact: { name: 'A' } }]);
		expect(hints).toEqual(['The service answered without an "id", which later steps may need.']);
	});

	it('says which operation an unexpected answer belongs to', async () => {
		const failure = run({ operation: one }, ['text']);
		await expect(failure).rejects.toThrow(UserError);
		await expect(failure).rejects.toMatchObject({ description: expect.stringMatching(/^Do it: /) });
	});
});

describe('a list', () => {
	const page = (...ids: string[]) => ({
		contacts: ids.map((id) => ({ id })),
		pagination: { total: ids.length },
	});

	it('is read where the setting says so, or the operation', async () => {
		expect((await run({ operation: many }, [page('c', 'd')])).items).toHaveLength(2);
		const settings = { paginate: true, returnAll: true, listPath: '' };
		const request = { operation: { ...one, output: { kind: 'any' } } };
		expect((await run(request, [page('c', 'd')], { settings })).items).toHaveLength(2);
	});

	it('says that it changed, or that entries have no ID', async () => {
		const settings = { returnAll: true };
		const same = { contacts: [{ id: 'c' }], pagination: { total: 3, limit: 1 } };
		const changed = await run({ operation: many }, Array(40).fill(same), { settings });
		expect(changed.hints).toEqual([expect.stringMatching(/^The list changed while it was read/)]);
		const nameless = (...names: string[]) => ({
			contacts: names.map((name) => ({ name })),
			pagination: { total: 3, limit: 2 },
		});
		const pages = [nameless('A', 'B'), nameless('C')];
		const { hints } = await run({ operation: many }, pages, { settings });
		expect(hints[0]).toMatch(/^The entries of this list have no ID/);
	});

	it('is read whole for a report, which makes the items', async () => {
		const report = {
			enrichments: [],
			build: () => ({ items: [{ built: 1, id: 'x' }], hints: [] }),
		};
		const first = { contacts: [{ id: 'c' }], pagination: { total: 2, limit: 1 } };
		const next = { contacts: [{ id: 'd' }], pagination: { total: 2, limit: 1 } };
		const { items, requests } = await run({ operation: many, report }, [first, next], {
			settings: { limit: 1 },
		});
		expect(items).toEqual([{ built: 1, id: 'x' }]);
		expect(requests.length).toBeGreaterThan(1);
	});

	it('has the fields that the user chose', async () => {
		const output = { kind: 'many', record: { ...record, simplified: {} } };
		const settings = { output: 'selectedFields', outputFields: ['id'] };
		const answer = { contacts: [{ id: 'c', name: 'A' }], pagination: { total: 1 } };
		const { items } = await run({ operation: { ...many, output } }, [answer], { settings });
		expect(items).toEqual([{ id: 'c' }]);
	});

	const match = { email: 'a@example.com' };

	it('is searched for each form of a value until one is found', async () => {
		const phone = { phone: '+5511900000001' };
		const { items, requests, hints } = await run({ operation: many, match: phone }, [
			page(),
			page('c'),
		]);
		expect([items, hints]).toEqual([[{ id: 'c' }], []]);
		const searches = requests.map(({ query }) => (query as { search: string }).search);
		expect(new Set(searches).size).toBe(2);
		const tagged = { ...get, query: { tag: 'vip' } };
		const first = await run({ operation: many, match: phone, request: tagged }, [page('c')]);
		expect(first.requests).toMatchObject([{ query: { tag: 'vip', search: searches[0] } }]);
		const own = { ...get, query: { search: 'own' } };
		const {
			requests: [only, ...others],
		} = await run({ operation: many, match, request: own }, [page()]);
		expect([only.query, others]).toEqual([expect.objectContaining({ search: 'own' }), []]);
	});

	it('says that several records have the value, and which were left out', async () => {
		const { hints } = await run({ operation: many, match }, [page('c', 'd')], {
			select: { unclear: [{ id: 'e' }] },
		});
		expect(hints).toEqual([
			'Left out, because the service does not show whether they have the email a@example.com: those.',
			'2 contacts have the email a@example.com. What follows runs for each of them.',
		]);
	});
});

it('names all values that a list is searched for', async () => {
	const match = { email: 'a@example.com', phone: '+5511900000001' };
	const answer = { contacts: [{ id: 'c' }, { id: 'd' }], pagination: { total: 2 } };
	const { hints } = await run({ operation: many, match }, [answer]);
	expect(hints[0]).toContain('have the email a@example.com and the phone +5511900000001.');
});

describe('requests of which one returns a record', () => {
	const search = { request: get, adds: { found: true } };
	const create = { request: post, adds: { found: false } };
	const find = async (
		alternatives: Array<Partial<Alternative>>,
		answers: unknown[],
		more: Partial<Operation> = {},
	) => await run({ operation: { ...one, ...more }, request: post, alternatives }, answers);
	const found = { contact: { id: 'c' } };

	it('ends with the first that does', async () => {
		expect(await find([search, create], [found])).toMatchObject({
			items: [{ id: 'c', found: true }],
			requests: [{ method: 'GET', mayBeMissing: true }],
			hints: [],
		});
		expect(await find([search, create], [undefined, found])).toMatchObject({
			items: [{ id: 'c', found: false }],
			requests: [{ mayBeMissing: true }, { method: 'POST', mayBeMissing: false }],
		});
	});

	it('has the scope of its own, or of the operation', async () => {
		const other = { ...search, scope: 'contacts:read' as const };
		const { requests } = await find([other, create], [undefined, found], { scope: 'leads:write' });
		expect(requests).toMatchObject([
			{ about: { scope: 'contacts:read' } },
			{ about: { scope: 'leads:write' } },
		]);
	});

	it('says that several records match, or that others came', async () => {
		const { hints } = await find([search], [{ contacts: [{ id: 'c' }, { id: 'd' }] }]);
		expect(hints).toEqual(['2 records matched, and the first was taken.']);
		const strict = { ...search, isMatch: () => false, mismatchHint: 'Others came.' };
		expect((await find([strict, create], [found, found])).hints).toEqual(['Others came.']);
		expect((await find([strict, create], [undefined, found])).hints).toEqual([]);
		const silent = { ...search, isMatch: () => false };
		expect((await find([silent, create], [found, found])).hints).toHaveLength(0);
	});

	it('has created whatever the answer to that looks like, unless it is a 404', async () => {
		const { items } = await find([search, create], [undefined, undefined]);
		expect(items).toEqual([{ success: true, found: false }]);
		const strict = { ...search, isMatch: () => false, mismatchHint: 'Others came.' };
		const { requests } = await find([strict, create], [found, found]);
		expect(requests).toMatchObject([{ mayBeMissing: true }, { mayBeMissing: false }]);
	});

	it('ends where none does: in the words of the service only where nothing else is known', async () => {
		const strict = { ...search, isMatch: () => false, mismatchHint: 'Others came.' };
		const notFound = () => ({ message: 'No contact was found', description: 'Check it.' });
		await expect(find([search], [undefined])).rejects.toThrow('Nothing was found');
		await expect(find([strict, search], [found, undefined], { notFound })).rejects.toMatchObject({
			message: 'No contact was found',
			description: 'Others came. Check it.',
		});
		// The last read may be answered with a 404, which means nothing else if it is the only one.
		const { requests } = await find([search], [found]);
		expect(requests).toMatchObject([{ mayBeMissing: false }]);
		expect((await find([strict, search], [found, found])).requests[1]).toMatchObject({
			mayBeMissing: true,
		});
	});

	it('picks a record from a list that is read to its end', async () => {
		const pick = (records: ServiceRecord[]) => records.find(({ id }) => id === 'd');
		const pages = [
			{ contacts: [{ id: 'c' }], pagination: { total: 2, limit: 1 } },
			{ contacts: [{ id: 'd' }], pagination: { total: 2, limit: 1 } },
		];
		expect((await find([{ ...search, pick }, create], pages)).items).toEqual([
			{ id: 'd', found: true },
		]);
		const nothing = { contacts: [], pagination: { total: 0 } };
		const { items } = await find([{ ...search, pick }, create], [nothing, found]);
		expect(items).toEqual([{ id: 'c', found: false }]);
	});

	it('sends nothing if the list cannot be read to its end', async () => {
		const endless = { contacts: [{ id: 'c' }], pagination: { total: 2, limit: 1 } };
		const failure = find([{ ...search, pick: () => undefined }, create], Array(40).fill(endless));
		await expect(failure).rejects.toThrow('The list of contacts could not be read completely');
	});
});

describe('below a parent', () => {
	const parentRecord = {
		singular: 'conversation',
		plural: 'conversations',
		schema: 'Conversation',
	};
	const parentOperation = {
		action: 'Find or create',
		output: { kind: 'one', record: parentRecord },
		parameters: [],
	};
	const adds = ({ id, created }: Record<string, unknown>) => ({
		conversationId: id,
		conversationCreated: created,
	});
	const plan = {
		operation: {
			...one,
			parent: { operation: parentOperation, pathName: 'conversationId', adds },
		},
		request: { ...post, path: '/conversations/{conversationId}/contacts' },
		parent: {
			operation: parentOperation,
			request: post,
			targets: [],
			match: {},
			read: () => undefined,
			alternatives: [
				{ request: get, adds: { created: false } },
				{ request: post, adds: { created: true } },
			],
		},
	};
	const found = { conversation: { id: 'v:1' } };
	const path = '/conversations/v%3A1/contacts';
	const target = { label: 'ID of the conversation', value: 'v:1' };

	it('sends the record to the parent that was found, and adds what is known of it', async () => {
		const { items, requests } = await run(plan, [found, { contact: { id: 'c' } }]);
		const added = { conversationId: 'v:1', conversationCreated: false };
		expect(items).toEqual([{ id: 'c', created: true, ...added }]);
		expect(requests).toMatchObject([
			{ method: 'GET' },
			{ method: 'POST', path, about: { targets: [target] } },
		]);
	});

	it('reads what was created with an answer without a record', async () => {
		const own = { id: 'c', conversationId: 'as answered' };
		const answers = [undefined, undefined, found, { contact: own }];
		const { items, requests } = await run(plan, answers);
		expect(items).toMatchObject([{ ...own, conversationCreated: true }]);
		expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'POST']);
		expect(requests[3]).toMatchObject({ path });
		// It does not create a second one, even if the first is not listed yet.
		await expect(run(plan, [undefined, undefined, undefined, found])).rejects.toThrow();
	});

	it('sends nothing to a parent without an ID', async () => {
		const pick = ([first]: ServiceRecord[]) => first;
		const parent = { ...plan.parent, alternatives: [{ request: get, pick }] };
		const nameless = { conversations: [{ status: 'open' }], pagination: { total: 1 } };
		await expect(run({ ...plan, parent }, [nameless, nameless])).rejects.toThrow(
			'The conversation has no "id", so nothing was added to it',
		);
	});

	it.each([
		['was created for the item', [undefined, found], /Wait\. The conversation "v:1" was created/],
		['was there', [found], /^Wait\.$/],
	])('says in a failure whether the parent %s', async (_, answers, expected) => {
		const failure = new NodeApiError(node, {}, { message: 'Refused', description: 'Wait.' });
		const failing = run(plan, [...answers, failure]);
		await expect(failing).rejects.toMatchObject({ description: expect.stringMatching(expected) });
	});

	it('looks in the list of that parent for what may have been created', async () => {
		const listing = { request: { ...get, path: plan.request.path } };
		const { listings } = await run({ ...plan, listing }, [found, { contact: { id: 'c' } }]);
		expect(listings).toMatchObject([undefined, { request: { path } }]);
	});
});
