/** One item: requests until one returns a record, lists that are searched, and what the user is told. */
import type { ServiceRecord } from '../../nodes/IntegrationLeads/contract/envelope';
import type { Operation, Search } from '../../nodes/IntegrationLeads/operation';
import type { Plan } from '../../nodes/IntegrationLeads/run/plan';
import { runSingle } from '../../nodes/IntegrationLeads/run/single';

const record = { singular: 'contact', plural: 'contacts', schema: 'Contact' };
const get = { method: 'GET', path: '/contacts', query: {}, repeatable: true } as const;
const post = { ...get, method: 'POST', body: { name: 'A' } } as const;
const one = { action: 'Do it', output: { kind: 'one', record }, parameters: [] };
const many = { ...one, output: { kind: 'many', record } };

/** Runs a plan while the service gives these answers, in order. */
async function run(
	plan: Record<string, unknown>,
	answers: unknown[],
	{ settings = {}, select = {} }: { settings?: Record<string, unknown>; select?: object } = {},
) {
	const requests: Array<Record<string, unknown>> = [];
	const hints = new Set<string>();
	const send = async (request: object, about: object) => {
		requests.push({ ...request, about });
		const data = answers[requests.length - 1];
		if (data instanceof Error) throw data;
		return { status: data === undefined ? 204 : 200, data, siblings: {} };
	};
	const services = {
		client: { send, scrub: (text: string) => text },
		hints,
		written: new Set(),
		created: {
			send: async ({ request, about }: Plan) => ({ answer: await send(request, about), adds: {} }),
		},
		values: { noteNew: async () => await Promise.resolve({}) },
		locator: {
			select: async (records: ServiceRecord[]) => ({ matches: records, unclear: [], ...select }),
		},
	};
	const { match = {}, report, ...rest } = plan;
	const whole = {
		request: get,
		about: {},
		recordKeys: [],
		list: { match, report },
		read: (name: string) => settings[name],
		...rest,
	};
	const items = await runSingle(whole as never, services as never);
	return { items, requests, hints: [...hints] };
}

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

	it('says that it changed while it was read', async () => {
		const same = { contacts: [{ id: 'c' }], pagination: { total: 3, limit: 1 } };
		const settings = { returnAll: true };
		const { hints } = await run({ operation: many }, Array(40).fill(same), { settings });
		expect(hints).toEqual([expect.stringMatching(/^The list changed while it was read/)]);
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
			'Left out, because the service does not show whether they have the email a@example.com: (ID e).',
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

describe('a record that is looked for first', () => {
	const search: Search = {
		path: '/contacts/lookup',
		scope: 'contacts:read',
		by: ['email', 'a@example.com'],
		isMatch: () => true,
	};
	const others: Search = { ...search, isMatch: () => false };
	const unclear: Search = { ...search, isMatch: () => undefined };
	const find = async (
		searches: Search[],
		answers: unknown[],
		more: Partial<Operation> = {},
		request: object = post,
	) => await run({ operation: { ...one, ...more }, request, find: searches }, answers);
	const found = { contact: { id: 'c' } };
	const two = { contacts: [{ id: 'c' }, { id: 'd', name: 'Bo' }] };
	const matched = { matchedBy: 'email', matchedValue: 'a@example.com' };
	const mismatch =
		'The service answered a search by email with a contact of another email, which was not taken. It may ignore the email.';

	it('is the output; if there is none, it is created', async () => {
		expect(await find([search], [found])).toMatchObject({
			items: [{ id: 'c', created: false, ...matched }],
			requests: [{ method: 'GET', mayBeMissing: true, about: { scope: 'contacts:read' } }],
			hints: [],
		});
		const { items, requests } = await find([search, search], [undefined, undefined, found]);
		expect(items).toEqual([{ id: 'c', created: true }]);
		expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
	});

	it('is that of a service that shows nothing, unless another record shows that it is another', async () => {
		expect((await find([unclear], [found])).items).toMatchObject([{ id: 'c', created: false }]);
		const isMatch = ({ id }: ServiceRecord) => (id === 'd' ? false : undefined);
		const { items } = await find([{ ...search, isMatch }], [two, { contact: { id: 'n' } }]);
		expect(items).toEqual([{ id: 'n', created: true }]);
	});

	it('says that others came', async () => {
		expect((await find([others], [found, found])).hints).toEqual([mismatch]);
		expect((await find([others], [undefined, found])).hints).toEqual([]);
	});

	it.each([
		['match', search, '2 contacts have the email "a@example.com": (ID c); Bo (ID d)'],
		['may match', unclear, 'It is not certain which contact has the email "a@example.com": (ID c)'],
	])('is none of several that %s', async (_, each, message) => {
		const failing = find([each], [two]);
		await expect(failing).rejects.toThrow(message);
		await expect(failing).rejects.toMatchObject({
			description: expect.stringContaining('Contact > Get Many'),
		});
		const once = { contacts: [{ id: 7 }, { id: '7' }] };
		expect((await find([each], [once])).items).toMatchObject([{ id: 7 }]);
	});

	it('is reported as missing by an operation that only reads', async () => {
		const notFound = { message: 'No contact was found', description: 'Check it.' };
		const failing = run(
			{ operation: one, request: get, find: [others, search], about: { notFound } },
			[found, undefined],
		);
		await expect(failing).rejects.toMatchObject({
			message: 'No contact was found',
			description: `${mismatch} Check it.`,
		});
		await expect(find([search], [undefined], {}, get)).rejects.toThrow('Nothing was found');
		expect((await find([search], [found], {}, get)).items).toEqual([{ id: 'c', ...matched }]);
	});

	it('is created whatever the answer to that looks like', async () => {
		const { items } = await find([search], [undefined, undefined]);
		expect(items).toEqual([{ success: true, created: true }]);
	});

	const inList: Search = {
		path: '/contacts',
		scope: 'contacts:read',
		isMatch: ({ id }) => id !== 'c',
		choose: (records) => records[records.length - 1],
	};
	const page = (id: string) => ({ contacts: [{ id }], pagination: { total: 2, limit: 1 } });

	it('is chosen from a list that is read to its end', async () => {
		expect((await find([inList], [page('c'), page('d')])).items).toEqual([
			{ id: 'd', created: false },
		]);
		const nothing = { contacts: [], pagination: { total: 0 } };
		expect((await find([inList], [nothing, found])).items).toEqual([{ id: 'c', created: true }]);
	});

	it('sends nothing if the list cannot be read to its end', async () => {
		const failing = find([inList], Array(40).fill(page('c')));
		await expect(failing).rejects.toThrow('The list of contacts could not be read completely');
	});
});
