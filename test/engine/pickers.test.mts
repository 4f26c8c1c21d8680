/** The lists of resource locators, read page by page through n8n's own context. */
import type { INodeListSearchResult } from 'n8n-workflow';

import { IntegrationLeads } from '#built/nodes/IntegrationLeads/IntegrationLeads.node';
import type { FaultRule } from '../../sandbox/faults.mts';
import type { Variant } from '../../sandbox/variant.mts';
import { fastClock, realClock, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 120 });

const { listSearch, loadOptions, resourceMapping } = new IntegrationLeads().methods;

async function search(
	method: keyof typeof listSearch,
	filter?: string,
	token?: string,
	context = lab.engine.context(),
) {
	return (await listSearch[method].call(context, filter, token)) as INodeListSearchResult;
}

/** What n8n has of a key with these scopes. */
const contextWith = (...scopes: string[]) =>
	lab.withKey(lab.sandbox.controls.addKey({ scopes }).key).context();

test.each<[Partial<Variant>, leads: number, pages: number]>([
	[{}, 120, 3],
	// Nothing tells that the sixth page is the last, but the empty one after it.
	[{ pagination: 'none', maxPage: 20 }, 120, 3],
])('leads come a page at a time, each once, when the service answers with %j', async (...row) => {
	const [variant, leads, pages] = row;
	lab.sandbox.controls.variant(variant);
	const values = [];
	let [token, read]: [string | undefined, number] = [undefined, 0];
	for (; read === 0 || (token && read < 20); read += 1) {
		const { results, paginationToken } = await search('searchLeads', undefined, token);
		values.push(...results.map(({ value }) => value));
		token = paginationToken as string | undefined;
	}
	lab.sandbox.controls.reset();
	expect([values.length, new Set(values).size, read]).toEqual([leads, leads, pages]);
});

const answer = (data: object) =>
	lab.sandbox.controls.fault({ kind: 'status', status: 200, body: { success: true, data } });

test('tags without IDs are chosen by name', async () => {
	const chosen = ['vip', 'new'].map((name) => ({ name, value: name }));
	answer({ tags: ['vip', { name: 'new' }, '', {}] });
	expect((await search('searchTags')).results).toEqual(chosen);
});

test.each<[keyof typeof listSearch, RegExp]>([
	['searchLeads', /^Contact 00001\d · contact\.00001\d@example\.com · \w+ · lead-\d+$/],
	['searchContacts', /^Contact 00001\d · contact\.00001\d@example\.com · \+/],
])('%s: the service searches, and labels say who it is', async (method, label) => {
	lab.sandbox.controls.clearRequests();
	const { results } = await search(method, 'Contact 00001');
	expect(results.length).toBeGreaterThan(0);
	expect(results.map(({ name }) => name)).toContainEqual(expect.stringMatching(label));
	expect(lab.sandbox.controls.requests()[0].query).toMatchObject({ search: 'Contact 00001' });
});

describe('conversations', () => {
	const created = { createdAt: '2026-01-31T14:30:00Z' };
	test.each([
		[{ contact: { name: 'Eva' }, ...created }, 'Eva · 2026-01-31 14:30'],
		[created, '2026-01-31 14:30 · ID v-1'],
		[{ contact: null, createdAt: 'yesterday' }, 'ID v-1'],
	])('%j is shown as %s', async (fields, name) => {
		answer({ conversations: [{ id: 'v-1', ...fields }] });
		const { results } = await search('searchConversations');
		expect(results).toEqual([{ name, value: 'v-1' }]);
	});

	test('are searched by what is shown', async () => {
		answer({ conversations: ['Ana', 'Bruno'].map((name) => ({ id: name, contact: { name } })) });
		const { results } = await search('searchConversations', 'BRUNO');
		expect(results).toEqual([{ name: 'Bruno', value: 'Bruno' }]);
	});
});

describe('with more tags than a page holds', () => {
	beforeEach(() => {
		const { store } = lab.sandbox;
		for (let index = 0; index < 130; index += 1) {
			const name = `many-${String(index).padStart(3, '0')}`;
			store.tags.add({ ...store.stamp(), name });
		}
	});

	test('a tag is found on any page', async () => {
		const { results, paginationToken } = await search('searchTags', 'MANY-1');
		expect(results.map(({ name }) => name).sort()).toEqual(
			Array.from({ length: 30 }, (_, index) => `many-${index + 100}`),
		);
		expect(paginationToken).toBeUndefined();
	});

	test('a search ends after 1,000 entries, until the user scrolls on', async () => {
		const { store, controls } = lab.sandbox;
		for (let each = 0; each < 1000; each += 1)
			store.tags.add({ ...store.stamp(), name: `x${each}` });
		controls.clearRequests();
		expect(await search('searchTags', 'in no name')).toEqual({
			results: [],
			paginationToken: '21',
		});
		expect(controls.requests()).toHaveLength(20);
	});
});

test('a list names the scope that the key lacks', async () => {
	await expect(search('searchTags', '', '1', contextWith('sync'))).rejects.toMatchObject({
		message: 'The API key does not permit: Search tags',
		description: expect.stringContaining('tags:read') as string,
	});
});

test('a lead can be mapped to its fields, each in one column', async () => {
	const { fields } = await resourceMapping.getLeadColumns.call(lab.engine.context());
	const columns =
		'contactId createContactIfNotFound email estimatedValue externalId name notes phone priority protocol saleDate source status tags';
	expect(fields.map(({ id }) => id).sort()).toEqual(columns.split(' '));
	expect(fields.filter(({ removed }) => !removed).map(({ id }) => id)).toEqual([
		'externalId',
		'name',
		'email',
		'phone',
	]);
});

describe('statuses, priorities and sources of the account', () => {
	const ESTABLISHED = Date.parse('2020-01-01T00:00:00Z');
	const known = {
		getStatuses: ['closed_won', 'in_progress', 'open'],
		getPriorities: ['high', 'medium'],
		getSources: ['api', 'whatsapp'],
	};
	type Method = keyof typeof known;
	const methods = Object.keys(known) as Method[];

	const valuesOf = async (method: Method, context = lab.engine.context()) =>
		(await loadOptions[method].call(context)).map(({ value }) => value);
	const paths = () => lab.sandbox.controls.requests().map(({ path }) => path);

	beforeEach(() => {
		lab.sandbox.controls.reset();
		lab.sandbox.controls.clearRequests();
		// Never, however slow this machine is.
		jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
		fastClock(100);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		realClock();
	});

	test('are the known ones, and those of the newest and the oldest leads', async () => {
		const { controls, store } = lab.sandbox;
		for (const { id } of [...store.leads.values()]) controls.deleteLead({ id });
		expect(await valuesOf('getStatuses')).toEqual(known.getStatuses);
		const statuses = ['Negociação', 'on_hold', ...Array<string>(227).fill('open'), 'CALLED_BACK'];
		statuses.forEach((status, n) => controls.createLead({ status, createdAt: ESTABLISHED + n }));
		controls.clearRequests();
		const entries = await loadOptions.getStatuses.call(lab.engine.context());
		const names = entries.map(({ name }) => name);
		expect(names).toEqual([...names].sort());
		const found = entries.filter(({ value }) => !known.getStatuses.includes(String(value)));
		expect(found.map(({ name, value }) => `${name}: ${value}`)).toEqual([
			'Called Back: CALLED_BACK',
			'Negociação: Negociação',
			'On Hold: on_hold',
		]);
		expect(paths()).toHaveLength(2);
	});

	test('a value in another spelling, or one that is no text, is not listed', async () => {
		for (const status of ['OPEN', 'In Progress', ' ', '=x']) {
			lab.sandbox.controls.createLead({ status });
		}
		const seeded = await valuesOf('getStatuses');
		expect(seeded).toEqual(expect.arrayContaining(known.getStatuses));
		expect(seeded).not.toEqual(expect.arrayContaining([expect.stringMatching(/OPEN|In P|^ |=/)]));
		answer({ leads: [3, null].map((status, id) => ({ id, status })), pagination: { total: 2 } });
		expect(await valuesOf('getStatuses')).toEqual(known.getStatuses);
	});

	test.each(methods)('%s: the known values without the scope', async (method) => {
		expect(await valuesOf(method, contextWith('leads:write'))).toEqual(known[method]);
		expect(paths()).toHaveLength(1);
	});

	test.each<[string, FaultRule]>([
		['an outage', { kind: 'status', status: 503, times: 100 }],
		['an answer without a list', { kind: 'status', status: 200, body: { found: 3 }, times: 100 }],
	])('the known values after %s', async (_, fault) => {
		lab.sandbox.controls.fault(fault);
		expect(await valuesOf('getStatuses')).toEqual(known.getStatuses);
	});

	test('the known values when time is up', async () => {
		jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
		expect(await valuesOf('getStatuses')).toEqual(known.getStatuses);
	});

	test.each(['parameters.status', 'parameters.filters.status'])(
		'the value chosen in %s stays listed on other credentials',
		async (path) => {
			const chosen = { status: 'of_another_account' };
			const parameters = path.includes('filters') ? { filters: chosen } : chosen;
			const context = lab.engine.context(path, parameters);
			expect(await valuesOf('getStatuses', context)).toContain('of_another_account');
			expect(await valuesOf('getPriorities', context)).not.toContain('of_another_account');
		},
	);

	test('the columns of a lead offer them, read once for all', async () => {
		lab.sandbox.controls.createLead({ status: 'won_back', priority: 'urgent', source: 'fair' });
		const { fields } = await resourceMapping.getLeadColumns.call(lab.engine.context());
		const optionsOf = (name: string) =>
			fields.find(({ id }) => id === name)?.options?.map(({ value }) => value);
		expect(optionsOf('status')).toEqual(expect.arrayContaining(['won_back', 'open']));
		expect(optionsOf('priority')).toEqual(expect.arrayContaining(['urgent', 'high']));
		// Lists do not show the source.
		expect(optionsOf('source')).toEqual(['api', 'whatsapp']);
		expect(paths()).toHaveLength(2);
	});
});

describe('the tags to watch', () => {
	beforeEach(() => {
		lab.sandbox.controls.reset();
		fastClock(100);
	});
	afterEach(realClock);
	const namesOf = async (context = lab.engine.context()) =>
		(await loadOptions.getTags.call(context)).map(({ value }) => value);

	test('are all tags by their names, and those that were chosen', async () => {
		for (let count = 0; count < 60; count += 1) lab.sandbox.store.ensureTag(`tag ${count}`);
		const chosen = lab.engine.context('', { tags: ['gone', 'VIP'] });
		const names = await namesOf(chosen);
		expect(names).toEqual(expect.arrayContaining(['gone', 'VIP', 'newsletter', 'tag 59']));
		expect(names).not.toContain('vip');
	});

	test('are those of leads without the scope', async () => {
		lab.sandbox.controls.createLead({ tags: ['of a lead'] });
		expect(await namesOf(contextWith('leads:read'))).toContain('of a lead');
		expect(await namesOf(contextWith('leads:write'))).toEqual([]);
	});
});
