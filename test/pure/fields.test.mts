/** Parameters whose values need more than a converter of values/. */
import { enumeration } from '../../nodes/IntegrationLeads/fields/common';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { planRequest } from '../../nodes/IntegrationLeads/run/request';

const bodyOf = (resource: string, operation: string, values: Record<string, unknown>) =>
	planRequest(resources[resource].operations[operation], (name) => values[name], {
		timezone: 'UTC',
	}).request.body;

describe('metadata field by field', () => {
	const result = { name: 'result', value: 'reached' };

	it.each<[string, unknown, object]>([
		[
			'rows',
			{ field: [{ name: 'duration', value: 120 }, result] },
			{ duration: 120, result: 'reached' },
		],
		[
			'white space around a name',
			{ field: [{ ...result, name: ' result ' }] },
			{ result: 'reached' },
		],
		['a row without a name', { field: [{ name: '', value: 'x' }, result] }, { result: 'reached' }],
		['a row that is not an object', { field: [null, result] }, { result: 'reached' }],
	])('%s', (_, metadataFields, metadata) => {
		const values = { leadId: 'l-1', type: 'CALL', options: { metadataFields } };
		expect(bodyOf('interaction', 'create', values)).toEqual({ type: 'CALL', metadata });
	});

	it.each([[{}], [{ field: [] }], [{ field: [{ name: '', value: 'x' }] }], ['text'], [null]])(
		'%j sends no metadata',
		(metadataFields) => {
			const values = { leadId: 'l-1', type: 'CALL', options: { metadataFields } };
			expect(bodyOf('interaction', 'create', values)).toEqual({ type: 'CALL' });
		},
	);

	it('is sent together with what is given as JSON', () => {
		const metadataFields = { field: [result] };
		const options = { metadataFields, metadata: '{"duration": 120}' };
		expect(bodyOf('interaction', 'create', { leadId: 'l-1', type: 'CALL', options })).toEqual({
			type: 'CALL',
			metadata: { duration: 120, result: 'reached' },
		});
	});
});

it('a drop-down has readable names in alphabetical order', () => {
	expect(enumeration(['open', 'in_progress', 'TASK_CREATED', 'whatsapp', 'api'])).toEqual([
		{ name: 'API', value: 'api' },
		{ name: 'In Progress', value: 'in_progress' },
		{ name: 'Open', value: 'open' },
		{ name: 'Task Created', value: 'TASK_CREATED' },
		{ name: 'WhatsApp', value: 'whatsapp' },
	]);
});

it.each([
	[['open', 'OPEN', 'Open'], ['Open']],
	[['in_progress', 'In Progress', 'in-progress', 'IN PROGRESS'], ['In Progress']],
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
