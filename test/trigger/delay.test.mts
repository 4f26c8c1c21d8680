/** Checks how soon changes are reported in an account that one poll cannot read whole. */
import { onlyLong } from '../helpers/long.mts';
import { seeded } from '../pure/virtualClock.mts';
import { ModelService, plainBehaviour, type ModelLead, type ServiceBehaviour } from './service.mts';
import { pollService, type Polled } from './polling.mts';

const NOW = Date.parse('2026-03-02T12:00:17.250Z');
const DAY_MS = 86_400_000;

/** An account whose baseline is complete. */
async function watched(count: number, behaviour: Partial<ServiceBehaviour> = {}) {
	const random = seeded(count);
	const service = new ModelService({ ...plainBehaviour, ...behaviour }, random, NOW);
	service.fill(
		count,
		() => Math.floor(NOW - 3_600_000 - random() * 90 * DAY_MS),
		(index) => ['open', 'in_progress', 'closed_won'][index % 3],
	);
	let state: unknown;
	const pollOnce = async (): Promise<Polled> => {
		const result = await pollService(service, state);
		({ state } = result);
		return result;
	};
	let baseline = 1;
	while ((await pollOnce()).unread > 0) baseline += 1;
	const anyLead = () => service.leads[Math.floor(random() * count)];
	/** Polls until all of the leads were in an event. */
	const pollsUntil = async (leads: ModelLead[]): Promise<number> => {
		const missing = new Set(leads.map(({ id }) => id));
		for (let polls = 1; polls < 100; polls += 1) {
			for (const { lead } of (await pollOnce()).events) missing.delete(String(lead.id));
			if (missing.size === 0) return polls;
		}
		return Infinity;
	};
	const swapped = new Set<ModelLead>();
	/** Lets two leads that were not swapped before swap their statuses. */
	const swap = (): ModelLead[] => {
		for (;;) {
			const [one, other] = [anyLead(), anyLead()];
			const [first, second] = [one.status, other.status];
			if (first === second || swapped.has(one) || swapped.has(other)) continue;
			swapped.add(one).add(other);
			service.change(one, { status: second });
			service.change(other, { status: first });
			return [one, other];
		}
	};
	return { service, pollOnce, pollsUntil, anyLead, swap, baseline };
}

test.each([[1000, 1, 1], [10_000, 4, 3], ...onlyLong([[100_000, 42, 24]])])(
	'an account of %i leads is known in %i polls and read whole in %i',
	async (count, known, whole) => {
		const { baseline, pollOnce, swap, pollsUntil } = await watched(count);
		expect(baseline).toBeLessThanOrEqual(known);
		for (let polls = 0; polls < 3; polls += 1)
			expect((await pollOnce()).requests).toBeLessThanOrEqual(60);
		for (let round = 0; round < 4; round += 1) {
			expect(await pollsUntil(swap())).toBeLessThanOrEqual(whole);
		}
	},
);

test('where something changes lately, a change is reported within two polls in a large account too', async () => {
	const { service, pollOnce, pollsUntil } = await watched(12_000);
	const young = service.leads.slice(-800);
	for (let round = 0; round < 6; round += 1) {
		const changed = young.filter((_, index) => index % 40 === round);
		for (const lead of changed) service.change(lead, { status: `round ${round}` });
		expect(await pollsUntil(changed)).toBeLessThanOrEqual(2);
		await pollOnce();
	}
});

test('where no totals are stated, changes are found in small pages too', async () => {
	const { pollsUntil, swap } = await watched(2000, { withoutTotal: true, largestPage: 25 });
	for (let round = 0; round < 4; round += 1) expect(await pollsUntil(swap())).toBeLessThan(8);
});
