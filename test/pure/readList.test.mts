import { map } from 'lodash';

import { readList } from '../../nodes/IntegrationLeads/transport/read';
import { businessHours, leadList } from './leadList.mts';
import { seeded } from './virtualClock.mts';

const FILTERS = { createdAfter: '2025-01-01' };

type Extent = Parameters<typeof readList>[2];

/** Each case: how many leads there are, what is read, and which requests that takes. */
it.each<[string, number, Extent, read: { count: number; complete: boolean }, limits: number[]]>([
	['no more than the limit', 500, { limit: 30 }, { count: 30, complete: true }, [30]],
	[
		'a limit of several pages',
		500,
		{ limit: 250 },
		{ count: 250, complete: true },
		[100, 100, 100],
	],
	['fewer than the limit', 20, { limit: 50 }, { count: 20, complete: true }, [50]],
	['a whole page', 20, {}, { count: 20, complete: true }, [100]],
	['a whole list, twice', 250, {}, { count: 250, complete: true }, Array(6).fill(100)],
	['by bounds, once', 250, { bounds: true }, { count: 250, complete: true }, Array(5).fill(100)],
	['no longer list than was asked for', 250, { most: 2 }, { count: 100, complete: false }, [100]],
	[
		'a list of just as many pages',
		200,
		{ most: 2 },
		{ count: 200, complete: true },
		Array(4).fill(100),
	],
])('reads %s', async (_, length, extent, read, limits) => {
	const list = leadList(businessHours(length, seeded(length)));
	const asked: number[] = [];
	const client = {
		send: async ({ query }: { query: typeof FILTERS & { page: number; limit: number } }) => {
			expect(query).toHaveProperty('createdAfter');
			asked.push(query.limit);
			const { records, total, serverNow } = await list.read(query);
			const pagination = { total, limit: query.limit, totalPages: Math.ceil(total! / query.limit) };
			return { status: 200, data: { leads: records, pagination }, envelope: {}, serverNow };
		},
	};
	const { records, complete } = await readList(
		client as never,
		{
			path: '/leads',
			query: FILTERS,
			errorContext: { action: '', targets: [] },
			record: { plural: 'leads' },
		},
		extent,
	);
	expect({ count: new Set(map(records, 'id')).size, complete }).toEqual(read);
	expect(records).toHaveLength(read.count);
	expect(asked).toEqual(limits);
});
