/** What a model gives as the arguments of a tool, for which n8n makes every field required. */
import { pick } from 'lodash';

import { documentedValues } from '../../nodes/IntegrationLeads/contract/records';
import type { Parameter } from '../../nodes/IntegrationLeads/operation';
import { converterOf, isBlankForModel } from '../../nodes/IntegrationLeads/fields/converter';
import type { Plan } from '../../nodes/IntegrationLeads/prepare/plan';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { planItem, planRequest } from '../helpers/plan.mts';
import { InputError, remedyFor } from '../../nodes/IntegrationLeads/userError';

type Values = Record<string, unknown>;

const locator = (mode: string, value: unknown) => ({ __rl: true, mode, value });
const leadId = locator('id', 'l-1');

const planWith =
	<P,>(make: (...given: Parameters<typeof planItem>) => P) =>
	(resource: string, operation: string, values: Values, tool = true) =>
		make(resources[resource].operations[operation], (name) => values[name], {
			timezone: 'America/Sao_Paulo',
			now: Date.UTC(2026, 0, 31),
			tool,
		});
const plan = planWith(planRequest);

function refusal(resource: string, operation: string, values: Values): string {
	try {
		plan(resource, operation, values);
	} catch (error) {
		if (error instanceof InputError) return `${error.message}. ${remedyFor('model', error.remedy)}`;
	}
	throw new Error('not refused');
}

const ABSENT = ['', ' ', null, undefined, [], {}, '[]', '{ }', '""', 'null', 'N/A', 'None', ['']];
/** What a field of a form, an expression or a cell holds that nobody filled in. */
const BLANK = ['', ' \n', '\u00a0', '\u200b\ufeff', null, undefined, [], {}, ['', null]];

it.each<[boolean, unknown[]]>([
	[true, [...ABSENT, ' [ ] ', '[  ]', '{  }', ' "" ', [[], ' '], ['null']]],
	[
		false,
		['x []', '[] x', '{} x', 'x {}', '"" x', '[0]', '{a}', '"a"', 0, false, [0], new Date(0)],
	],
])('stands for no value: %s', (expected, values) => {
	expect(values.filter((value) => isBlankForModel(value) !== expected)).toEqual([]);
});

it.each(ABSENT)(
	'the argument %j is not sent, clears nothing, and is refused where a value is required',
	(absent) => {
		const names = 'notes status priority source saleDate estimatedValue externalId'.split(' ');
		const fields = Object.fromEntries(names.map((name) => [name, absent]));
		const none = locator('id', absent);
		const contact = { name: absent, email: absent, phone: absent };
		const updateFields = { ...fields, tags: absent, contact, contactId: none, priority: 'high' };
		const update = { leadId, updateFields, fieldsToClear: absent };
		expect(plan('lead', 'update', update).request.body).toEqual({ priority: 'high' });
		const upsert = { externalId: 'e', protocol: absent, createContactIfNotFound: absent };
		expect(plan('lead', 'upsert', upsert).request.body).toEqual({ externalId: 'e' });
		const filters = { ...fields, createdAfter: absent, tag: none, limit: absent };
		expect(plan('lead', 'getAll', { filters, limit: absent }).request.query).toEqual({});
		const value = { ...fields, ...contact, notes: 'n', externalId: 'e' };
		const push = { lead: { mappingMode: 'defineBelow', value } };
		expect(plan('sync', 'push', push).request.body).toEqual({ externalId: 'e', notes: 'n' });
		const known = [...documentedValues.status].sort().join(', ');
		expect(refusal('lead', 'updateStatus', { leadId, status: absent })).toBe(
			`"New Status" is empty. Give a value for "New Status", such as ${known}.`,
		);
		expect(refusal('lead', 'get', { leadId: none })).toBe(
			'"Lead" is empty. Choose or enter a value for "Lead".',
		);
	},
);

/** A value that a required parameter takes, and `absent` for all others, those in collections included. */
function argumentsOf(parameters: Parameter[], absent: unknown): Values {
	const entries = parameters.map((each) => {
		const options = (each.options ?? []) as Parameter[];
		if (each.type === 'collection') return [each.name, argumentsOf(options, absent)];
		if (!each.required) return [each.name, absent];
		return [
			each.name,
			/Date|Time|soldOn/.test(each.name) && !each.options ? '2026-01-31' : each.default || 'x-1',
		];
	});
	return Object.fromEntries(entries) as Values;
}

const leaves = (value: unknown): unknown[] =>
	value !== null && typeof value === 'object'
		? [value, ...Object.values(value).flatMap(leaves)]
		: [value];

const operations = Object.entries(resources).flatMap(([resource, { operations: declared }]) =>
	Object.entries(declared).map(([name, operation]) => ({ resource, name, operation })),
);

describe.each(operations)('$resource $name', ({ resource, name, operation }) => {
	const ids = { leadId, tagId: 't-1', contactId: 'c-1', conversationId: 'v-1' };
	const path = operation.parameters.filter((each) => each.in === 'path').map((each) => each.name);

	it.each([
		['an agent', true, ABSENT],
		['people', false, BLANK],
	])('sends nothing that %s did not give, or says what to give', (_, tool, none) => {
		for (const absent of none) {
			const values = { ...argumentsOf(operation.parameters, absent), ...pick(ids, path) };
			try {
				const whole: Plan = planWith(planItem)(resource, name, values, tool);
				const {
					query,
					body,
					path: sent,
				} = { ...whole.values, path: Object.values(whole.values.path).join('/') };
				const given = leaves({ ...query, ...(body as object) }).slice(1);
				expect(given.filter(isBlankForModel)).toEqual([]);
				expect(sent).not.toMatch(/\/(\/|$)|null|undefined/);
			} catch (error) {
				if (!(error instanceof InputError)) throw error;
				const reader = tool ? 'model' : 'panel';
				expect(remedyFor(reader, error.remedy)).toMatch(/^["A-Z].*\.$/);
			}
		}
	});
});

it('a request without any value is refused in words for a model', () => {
	const values = { leadId, updateFields: { notes: '', tags: [], contact: { phone: 'null' } } };
	expect(refusal('lead', 'update', values)).toMatch(/^Nothing to update was given\. Give a value/);
});

describe.each([true, false])('Fields to Clear, in a tool: %s', (tool) => {
	it('empties each field as its type is emptied', () => {
		const updateFields = { notes: '', tags: [], saleDate: '', estimatedValue: '' };
		const fieldsToClear = 'notes, Tags\n- sale_date, estimatedValue';
		const { body } = plan('lead', 'update', { leadId, updateFields, fieldsToClear }, tool).request;
		expect(body).toEqual({ notes: '', tags: [], saleDate: null, estimatedValue: null });
	});

	it('of a contact, and keeps a field that has a value as well', () => {
		const ofContact = { contactId: 'c-1', fieldsToClear: ['phone'], updateFields: { name: 'A' } };
		const { body } = plan('contact', 'update', ofContact, tool).request;
		expect(body).toEqual({ name: 'A', phone: '' });
		const updateFields = { notes: 'n', tags: 'a' };
		const values = { leadId, fieldsToClear: 'notes, tags', updateFields };
		expect(plan('lead', 'update', values, tool).request.body).toEqual({ notes: 'n', tags: ['a'] });
	});

	it('refuses a name that it does not know, and gives the list', () => {
		expect(refusal('lead', 'update', { leadId, fieldsToClear: 'notes, status' })).toMatch(
			/"Fields to Clear" names a field that cannot be cleared: "status"\. Choose from .*notes, .*tags\.$/,
		);
	});
});

describe('spellings of models', () => {
	const saleDate = '2026-12-31T17:30:00.000Z';
	it.each<[string, unknown, unknown]>([
		['saleDate', '2026-12-31T17:30:00Z', saleDate],
		['saleDate', '2026-12-31 14:30', saleDate],
		['saleDate', '"2026-12-31T14:30:00-03:00"', saleDate],
		['estimatedValue', '1500.00', 1500],
		['estimatedValue', '"1500"', 1500],
		['tags', '["a","b"]', ['a', 'b']],
		['tags', '- a\n- b', ['a', 'b']],
		['tags', '* a\r\n* b\n', ['a', 'b']],
		['tags', 'a-b, -c', ['a-b', '-c']],
		['tags', '"a", "b, c"', ['a', 'b, c']],
		['tags', '"a" b, c', ['"a" b', 'c']],
		['status', '"CLOSED_WON"', 'closed_won'],
		['status', '"a\\x"', '"a\\x"'],
		['notes', '"quoted"', '"quoted"'],
		['notes', 'In Progress', 'In Progress'],
	])('%s: %j', (name, given, sent) => {
		const { body } = plan('lead', 'update', { leadId, updateFields: { [name]: given } }).request;
		expect(body).toEqual({ [name]: sent });
	});

	it('a known value in a list is none', () => {
		const updateFields = { status: ['open'] };
		expect(refusal('lead', 'update', { leadId, updateFields })).toMatch(/^"Status" must be text/);
	});

	it.each([true, false])(
		'the type of an interaction is one of a complete list (tool: %s)',
		(tool) => {
			const sent = (type: string) =>
				plan('interaction', 'create', { leadId, type, title: 'Call' }, tool).request.body;
			expect(sent('Task created')).toMatchObject({ type: 'TASK_CREATED' });
			expect(() => sent('CHAT')).toThrow('"Type" has no value "CHAT"');
		},
	);
});

it.each<[Parameter['typeOptions'], number, number]>([
	[undefined, -1e6, -1e6],
	[{ minValue: 1 }, 0, 1],
	[{ maxValue: 9 }, 10, 9],
	[{ minValue: 1, maxValue: 9 }, 5.5, 5.5],
	[{ numberPrecision: 0 }, 5.5, 5],
])('a number within %j: %d is %d', (typeOptions, given, number) => {
	const kind = { displayName: 'N', name: 'n', type: 'number', default: 0 } as const;
	const convert = converterOf({ ...kind, typeOptions });
	expect(convert?.(given, { label: 'N', timezone: 'UTC' })).toBe(number);
});
