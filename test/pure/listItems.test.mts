import type { ServiceRecord } from '../../nodes/IntegrationLeads/values/json';
import type { Enrichment, Report } from '../../nodes/IntegrationLeads/operation';
import { listItems } from '../../nodes/IntegrationLeads/run/listItems';

const shape = { singular: 'lead', plural: 'leads' };
const readEach: Enrichment = {
	route: 'GET /leads/{id}',
	scope: 'leads:read',
	record: shape,
	id: ({ id }) => id as string | undefined,
	merge: (record, found) => found && { ...record, ...found },
};

/** Builds a report of the records while the service answers with what `stored` holds, else with a 404. */
async function report(
	listed: ServiceRecord[],
	stored: Record<string, unknown>,
	enrichments: Enrichment[] = [readEach],
) {
	const requests: Array<{ path: string; about: object }> = [];
	const client = {
		send: async ({ path }: { path: string }, about: object) => {
			if (path !== '/leads') requests.push({ path, about });
			const data = path === '/leads' ? { leads: listed } : stored[path];
			return { status: data === undefined ? 404 : 200, data, siblings: {} };
		},
	};
	const hints = new Set<string>();
	const build: Report['build'] = (items) => ({ items: items as never, hints: ['Built.'] });
	const about = { action: 'Export', scope: 'own', targets: [{ label: 'Lead', value: 'x' }] };
	const plan = {
		operation: { output: { kind: 'many', record: shape } },
		request: { path: '/leads', query: {} },
		about,
		values: { match: {}, settings: {}, options: {} },
		report: { enrichments, build },
	};
	const items = await listItems(plan as never, { client, hints } as never);
	return { items, requests, hints: [...hints] };
}
const a = { lead: { id: 'a', value: 1 } };

it('requests each ID once, about that record alone, and merges what it reads', async () => {
	const ofLead: Enrichment = {
		...readEach,
		id: ({ leadId }) => leadId as string | undefined,
		merge: (record, found) => ({ ...found, ...record }),
	};
	const listed = [{ id: 1, leadId: 'a' }, { id: 2 }, { id: 3, leadId: 'a' }];
	const { items, requests, hints } = await report(listed, { '/leads/a': a }, [ofLead]);
	expect(items).toEqual(listed.map((each) => ({ ...each, ...(each.leadId && { value: 1 }) })));
	const about = { action: 'Export', scope: 'leads:read', targets: [] };
	expect(requests).toEqual([{ path: '/leads/a', about }]);
	expect(hints).toEqual(['Built.']);
});

it('finishes what one enrichment reads before the next begins', async () => {
	const next: Enrichment = {
		...readEach,
		route: 'GET /next/{id}',
		id: ({ value }) => String(value),
	};
	const stored = { '/leads/a': a, '/next/1': { lead: { more: true } } };
	const { items } = await report([{ id: 'a' }], stored, [readEach, next]);
	expect(items).toEqual([{ id: 'a', value: 1, more: true }]);
});

it('leaves out those that are gone, and says so', async () => {
	const { items, hints } = await report([{ id: 'a' }, { id: 'b' }, { id: 'c' }], { '/leads/a': a });
	expect(items).toEqual([{ id: 'a', value: 1 }]);
	expect(hints[0]).toMatch(/^Left out, because they were deleted or moved .*: 2 of the list\.$/);
});

it('is empty where the only one is gone', async () => {
	expect((await report([{ id: 'gone' }], {})).items).toEqual([]);
});

it.each<[string, Record<string, unknown>, Enrichment, RegExp]>([
	['none exists', {}, readEach, /^None of the 2 leads in the list is there with the same status/],
	[
		'each has changed',
		{ '/leads/a': a },
		{ ...readEach, merge: () => undefined },
		/^None of the 2 leads in the list is there with the same status/,
	],
	[
		'one is no record',
		{ '/leads/a': 'a', '/leads/b': a },
		readEach,
		/something that is not a record/,
	],
])('ends if %s', async (_, stored, enrichment, message) => {
	await expect(report([{ id: 'a' }, { id: 'b' }], stored, [enrichment])).rejects.toThrow(message);
});

it('requests nothing else for an ID that would change the path', async () => {
	await expect(report([{ id: '../contacts' }], {})).rejects.toThrow('"ID" is not an ID');
});
