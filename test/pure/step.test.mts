/** One request: what is said of the record that came back. */
import { resources } from '../../nodes/IntegrationLeads/resources';
import type { RunServices } from '../../nodes/IntegrationLeads/requests/services';
import { sendStep } from '../../nodes/IntegrationLeads/requests/step';
import { planRequest } from '../helpers/plan.mts';

const SENT = Date.parse('2026-03-02T12:00:00.000Z');

/** Services of one run, in which each request is answered with `answer`. */
function servicesWith(answer: object, { wasCreated = false } = {}): RunServices {
	return {
		account: { askIfNew: async () => await Promise.resolve({}) },
		created: { send: async () => await Promise.resolve({ status: 200, siblings: {}, ...answer }) },
		ledger: { hasCreated: () => wasCreated, noteCreated: () => undefined },
		hints: new Set(),
		written: new Set(),
	} as unknown as RunServices;
}

const upsert = (externalId: string) =>
	planRequest(resources.lead.operations.upsert, (name) => ({ externalId })[name], {
		timezone: 'UTC',
		now: 0,
	});
const fresh = { id: 'l', createdAt: new Date(SENT).toISOString() };

it('a lead that an attempt without an answer created counts as new for its first item only', async () => {
	const services = servicesWith({ data: { lead: fresh }, sentAt: SENT, isRepeated: true });
	const results = [];
	for (const id of ['a', 'a', 'b']) results.push(await sendStep(upsert(id), id, services));
	expect(results.map(({ created }) => created)).toEqual([true, undefined, true]);
});

it('a lead that an earlier try of the item created is a new one', async () => {
	const old = { ...fresh, createdAt: '2020-01-01T00:00:00Z' };
	const answer = { data: old, sentAt: SENT };
	const { created } = await sendStep(upsert('a'), '0', servicesWith(answer, { wasCreated: true }));
	expect(created).toBe(true);
	expect((await sendStep(upsert('a'), '0', servicesWith(answer))).created).toBe(false);
});

it('what an answer of 202 shows is the record as it was', async () => {
	const data = { id: 'l', externalId: 'b' };
	const { adds } = await sendStep(upsert('a'), '0', servicesWith({ status: 202, data }));
	expect(adds).not.toHaveProperty('differences');
	const { adds: now } = await sendStep(upsert('a'), '0', servicesWith({ data }));
	expect(now).toHaveProperty('differences');
});
