/** What is carried out once although n8n runs the node again, and what is carried out each time. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { resources } from '../../nodes/IntegrationLeads/resources';
import { Ledger } from '../../nodes/IntegrationLeads/requests/ledger';
import { itemKey, runOnce } from '../../nodes/IntegrationLeads/run/once';
import type { RunServices } from '../../nodes/IntegrationLeads/requests/services';
import type { Client } from '../../nodes/IntegrationLeads/transport/send';
import { planItem } from '../helpers/plan.mts';

const client = { account: 'account', isTestKey: false } as Client;

/** What all tries of a run share is in `book`. */
function services(book: IDataObject): RunServices {
	const context = {
		getContext: () => book,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getTimezone: () => 'UTC',
	} as unknown as IExecuteFunctions;
	return { ledger: new Ledger(context, client), hints: new Set() } as unknown as RunServices;
}

function planned(name: string, values: Record<string, unknown>, itemIndex = 0, part = 0) {
	const [resource, operation] = name.split('.');
	const declared = resources[resource].operations[operation];
	const plan = planItem(declared, (each) => values[each], { timezone: 'UTC', now: 0 });
	return { itemIndex, part, plan };
}

it.each<[string, Record<string, unknown>, times: number]>([
	['lead.get', { leadId: 'l-1' }, 2],
	['lead.upsert', { externalId: 'e' }, 2],
	['lead.upsert', { identifyBy: 'protocol', protocol: 'ML-AB12-CD34' }, 1],
	['lead.updateStatus', { leadId: 'l-1', status: 'open' }, 2],
	['lead.removeTag', { leadId: 'l-1', tagId: 't-1' }, 1],
	['contact.create', { name: 'A' }, 1],
	['contact.lookup', { email: 'a@example.com' }, 2],
	['contact.findOrCreate', { email: 'a@example.com' }, 1],
	['message.logForLead', { leadId: 'l-1', content: 'x' }, 1],
])('two tries of %s %j carry it out %d times', async (name, values, times) => {
	const book = {};
	let count = 0;
	const run = async () => await Promise.resolve({ record: { id: (count += 1) }, adds: {} });
	const item = planned(name, values);
	await runOnce(item, run, services(book));
	await runOnce(item, run, services(book));
	expect(count).toBe(times);
});

it('a value is carried out for the first item that has it', async () => {
	const book = {};
	const values = { leadId: 'l-1', content: 'x', messageId: 'm-1' };
	const run = async () => await Promise.resolve({ record: { id: 1 }, created: true, adds: {} });
	const first = await runOnce(planned('message.logForLead', values), run, services(book));
	const second = await runOnce(planned('message.logForLead', values, 1), run, services(book));
	const other = await runOnce(
		planned('message.logForLead', { ...values, leadId: 'l-2' }, 2),
		run,
		services(book),
	);
	expect([first, second, other].map(({ created }) => created)).toEqual([true, false, true]);
});

it('items, their parts and what they address have keys of their own', () => {
	const values = { leadId: 'l-1', content: 'x' };
	const keys = [
		planned('message.logForLead', values),
		planned('message.logForLead', values, 1),
		planned('message.logForLead', values, 0, 1),
		planned('message.logForLead', { ...values, leadId: 'l-2' }),
		planned('interaction.create', { leadId: 'l-1', type: 'NOTE' }),
		planned('interaction.create', { leadId: 'l-2', type: 'NOTE' }),
	].map(itemKey);
	expect(new Set(keys).size).toBe(keys.length);
	// An expression may have another value in the next try.
	const changed = planned('message.logForLead', { ...values, content: 'y' });
	expect(itemKey(changed)).toBe(keys[0]);
});
