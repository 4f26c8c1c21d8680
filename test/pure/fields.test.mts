/** Parameters whose values need more than a converter of values/. */
import { itemsAtOnce } from '../../nodes/IntegrationLeads/fields/options';
import { MOST_IN_FLIGHT } from '../../nodes/IntegrationLeads/transport/pace';
import { enumeration } from '../../nodes/IntegrationLeads/fields/common';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { planItem } from '../helpers/plan.mts';

it('shows what applies without Items at Once', () => {
	const most = { default: MOST_IN_FLIGHT, typeOptions: { maxValue: MOST_IN_FLIGHT } };
	expect(itemsAtOnce).toMatchObject(most);
});

const bodyOf = (resource: string, operation: string, values: Record<string, unknown>) =>
	planItem(resources[resource].operations[operation], (name) => values[name], {
		timezone: 'UTC',
	}).values.body;

it.each([
	[['open', 'OPEN', 'Open'], ['Open']],
	[['in_progress', 'In Progress', 'in-progress', 'IN PROGRESS'], ['In Progress']],
	[
		['open', 'TASK_CREATED'],
		['Open', 'Task Created'],
	],
	[
		['whatsapp', 'Zap', 'facebook-ads', 'Indicação', 'api', 'Feira de maio'],
		['API', 'Facebook Ads', 'Feira de maio', 'Indicação', 'WhatsApp', 'Zap'],
	],
])('a drop-down of %j lists %j, of one word the first spelling', (values, names) => {
	const entries = enumeration(values);
	expect(entries.map(({ name }) => name)).toEqual(names);
	expect(values).toEqual(expect.arrayContaining(entries.map(({ value }) => value)));
	if (names.length === 1) expect(entries[0].value).toBe(values[0]);
});

it.each([
	['contact', 'create', {}, 'The contact has no data'],
	['contact', 'update', { contactId: 'c-1' }, 'Nothing to update was given'],
	['lead', 'addTags', { leadId: 'l-1', tags: [] }, 'No tag was given'],
])('%s %s needs something to send', (resource, operation, values, message) => {
	expect(() => bodyOf(resource, operation, values)).toThrow(message);
	const additionalBody = { any: 1 };
	const options = { additionalBody };
	expect(bodyOf(resource, operation, { ...values, options })).toEqual(additionalBody);
});
