/** Items that read a list: which lists are searched, and what the user is told. */
import type { ServiceRecord } from '../../nodes/IntegrationLeads/values/json';
import { runSingle } from '../../nodes/IntegrationLeads/run/single';

const record = { singular: 'contact', plural: 'contacts', schema: 'Contact' };
const get = { method: 'GET', path: '/contacts', query: {}, repeatable: true } as const;
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
		account: { askIfNew: async () => await Promise.resolve({}) },
		lookups: {
			select: async (records: ServiceRecord[]) => ({ matches: records, unclear: [], ...select }),
		},
	};
	const { match = {}, ...rest } = plan;
	const whole = {
		request: get,
		about: {},
		recordKeys: [],
		values: { match, settings, options: {} },
		...rest,
	};
	const items = await runSingle({ plan: whole } as never, services as never);
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
