import fc from 'fast-check';

import { leadFilters, listedLead } from '../../nodes/IntegrationLeads/contract/leadRecord';
import { runList } from '../../nodes/IntegrationLeads/find/list';
import { draws } from '../helpers/long.mts';
import type { Lead, ServiceBehaviour } from './leadList.mts';
import { businessHours, leadList } from './leadList.mts';
import { seeded } from './virtualClock.mts';

const output = { kind: 'many', record: listedLead, hasTimeBounds: true } as const;

/** Runs Return All with a filter while leads are moved in and out of it; `stayed` were listed all the time. */
async function returnAll(name: string, seed: number, behaviour: ServiceBehaviour) {
	const random = seeded(seed);
	const count = 600;
	const passing = new Set<string>();
	const isListed = ({ id }: Lead) => passing.has(id);
	const leads = businessHours(count, random);
	for (const { id } of leads) if (random() < 0.7) passing.add(id);
	const stayed = new Set(passing);
	const move = () => {
		const { id } = leads[Math.floor(random() * count)];
		// Every lead that stays out is replaced by one that enters: the total shows nothing.
		if (passing.delete(id)) passing.add(leads[Math.floor(random() * count)].id);
		stayed.delete(id);
	};
	const list = leadList(leads, { ...behaviour, isListed, churn: move });
	const time = (value: unknown) => (value === undefined ? undefined : Date.parse(String(value)));
	const { records } = await runList(
		output,
		{ [name]: 'some value' },
		async ({ page, limit, createdAfter, createdBefore }) => {
			const bounds = { after: time(createdAfter), before: time(createdBefore) };
			const asked = { page: Number(page), limit: Number(limit) };
			const { records: data, total, serverNow } = await list.read(asked, bounds);
			return { status: 200, data: { leads: data, pagination: { total } }, siblings: {}, serverNow };
		},
		{ settings: { returnAll: true }, options: {} },
	);
	const found = new Set(records.map(({ id }) => id));
	return { lost: [...stayed].filter((id) => !found.has(id)) };
}

const bounds = ['createdAfter', 'createdBefore'];
const others = Object.keys(leadFilters).filter((name) => !bounds.includes(name));

// Of no filter but the bounds of the time of creation is it known that leads cannot leave it.
it.each([...others, 'aFilterOfTomorrow'])(
	'Return All loses no lead while others enter and leave the filter "%s"',
	async (name) => {
		const order = fc.constantFrom<ServiceBehaviour['order']>('asc', 'desc', 'random');
		await fc.assert(
			fc.asyncProperty(fc.nat(), order, async (seed, each) => {
				// It changes with every request, so nothing proves that none was lost, and a hint says so.
				expect(await returnAll(name, seed, { order: each })).toEqual({ lost: [] });
			}),
			{ numRuns: draws(30) },
		);
	},
);
