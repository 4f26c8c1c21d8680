/** How a value is given makes no difference to what is sent; only how often n8n is asked for it. */
import fc from 'fast-check';
import lodash from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Parameter } from '#built/nodes/IntegrationLeads/operation';
import { resources } from '#built/nodes/IntegrationLeads/resources/index';
import type { Lab } from '../helpers/lab.mts';
import { by, startLab, writes } from '../helpers/lab.mts';
import { draws, isLong } from '../helpers/long.mts';

let lab: Lab;
/** Values by the name of the parameter, where not any value of its type will do. */
let known: IDataObject;

beforeAll(async () => {
	const now = Date.now();
	// Without a limit, since time stands still: both runs must see the same times and IDs.
	lab = await startLab({ seed: 30, clock: () => now, rpm: 1_000_000 });
	const { leads, contacts, conversations, messages, tags } = lab.sandbox.store;
	const idIn = (records: { values(): Iterable<{ id: string }> }) => [...records.values()][0]?.id;
	known = {
		leadId: by('id', idIn(leads)),
		contactId: by('id', idIn(contacts)),
		conversationId: by('id', idIn(conversations) ?? 'c-1'),
		messageId: idIn(messages) ?? 'm-1',
		tagId: by('id', idIn(tags)),
		// No lead has it, so each run asks the service.
		tag: by('id', 'unused'),
		phone: '+5511912345678',
		email: 'a@example.com',
		estimatedValue: 1500,
		defaultCountryCode: '55',
		fieldsToClear: '',
		method: 'POST',
		path: '/tags',
		// One at a time, so that new records get their IDs in the same order.
		concurrency: 1,
		saleDateFrom: '2026-03-01T12:00:00.000Z',
		// Without }}, which ends an expression.
		payload: `{ "event": "messages.upsert", "instance": "example", "data": {
			"key": { "remoteJid": "5511970000001@s.whatsapp.net", "fromMe": false, "id": "3EB0A1" },
			"message": { "conversation": "Hello" } } }`,
		service: 'evolution',
		specifySale: 'fields',
		saleValue: '1500.50',
	};
});
afterAll(async () => await lab.sandbox.close());

const BY_TYPE: Record<string, unknown> = {
	string: 'text of 1 field',
	number: 2,
	boolean: true,
	dateTime: '2026-03-08T12:00:00.000Z',
	json: '{"notes": "from JSON"}',
	multiOptions: ['a', 'b'],
	resourceMapper: {
		mappingMode: 'defineBelow',
		value: { externalId: 'mapped', phone: '+5511912345679', estimatedValue: '1.500,00' },
	},
};

function sample({ name, type, options = [] }: Parameter): unknown {
	if (name in known) return known[name];
	if (type === 'collection') {
		return Object.fromEntries((options as Parameter[]).map((each) => [each.name, sample(each)]));
	}
	const [choice] = options as Array<{ value: string }>;
	return type === 'options' ? choice.value : BY_TYPE[type];
}

/** The parameters that decide which others are shown: n8n shows all if they are expressions. */
function deciding(parameters: Parameter[]): string[] {
	const nested = parameters.flatMap(({ options = [] }) => options as Parameter[]);
	return [...parameters, ...nested].flatMap(({ displayOptions }) =>
		Object.keys({ ...displayOptions?.show, ...displayOptions?.hide }),
	);
}

/** Replaces the values in a parameter, except what is no value: the parts of a resource locator or a mapping. */
function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
	if (Array.isArray(value)) return value.map((each) => mapLeaves(each, change));
	if (!lodash.isPlainObject(value)) return change(value);
	return lodash.mapValues(value as IDataObject, (each, key) =>
		['__rl', 'mode', 'mappingMode'].includes(key) ? each : mapLeaves(each, change),
	);
}

const ITEMS = 2;
const FORMS = ['constant', 'expression', 'field', 'field in quotes'] as const;
type Form = (typeof FORMS)[number];

/** The same parameters, each value given in the next form; and the fields of the items that they refer to. */
function given(parameters: IDataObject, fixed: string[], forms: Form[]) {
	const fields: unknown[] = [];
	const changed = lodash.mapValues(parameters, (value, name) =>
		fixed.includes(name)
			? value
			: mapLeaves(value, (leaf) => {
					const form = forms[fields.length % forms.length];
					const position = fields.push(leaf) - 1;
					if (form === 'expression') return `={{ ${JSON.stringify(leaf)} }}`;
					if (form === 'field') return `={{ $json.v${position} }}`;
					return form === 'constant' ? leaf : `={{$json["v${position}"]}}`;
				}),
	) as IDataObject;
	const values = Object.fromEntries(fields.map((value, position) => [`v${position}`, value]));
	return { changed, item: { ...values, externalId: 'mapped by name' } };
}

/** Takes one of two fields, not both. */
const LEFT_OUT: Record<string, string> = { lookup: 'phone' };

const operations = Object.entries(resources).flatMap(([resource, each]) =>
	Object.entries(each.operations).map(([operation, { parameters }]) => ({
		resource,
		operation,
		parameters: parameters.filter(({ name }) => name !== LEFT_OUT[operation]),
	})),
);

test.each(operations)(
	'$resource > $operation sends the same, however its values are given',
	async ({ resource, operation, parameters }) => {
		const samples = Object.fromEntries(parameters.map((each) => [each.name, sample(each)]));
		const fixed = deciding(parameters);
		const outcome = async (forms: Form[]) => {
			lab.sandbox.controls.reset();
			const { changed, item } = given(samples as IDataObject, fixed, forms);
			const input = Array.from({ length: ITEMS }, () => item);
			const { items } = await lab.engine.run(
				{ resource, operation, ...changed },
				{ input, onError: 'continueRegularOutput' },
			);
			const sent = lab.sandbox.controls.requests();
			return {
				sent: sent.map((each) => lodash.pick(each, ['method', 'path', 'query', 'body'])),
				items: items.map(({ json, pairedItem }) => ({ json, pairedItem })),
			};
		};
		const constant = await outcome(['constant']);
		expect(constant.sent).not.toEqual([]);
		// Each value in each form, beside others.
		const [, ...others] = FORMS;
		for (const [n] of others.entries()) {
			const forms = [...others.slice(n), ...others.slice(0, n)];
			expect(await outcome(forms)).toEqual(constant);
		}
		if (!isLong) return;
		const mixed = fc.array(fc.constantFrom(...FORMS), { minLength: 1, maxLength: 7 });
		const isSame = async (forms: Form[]) => expect(await outcome(forms)).toEqual(constant);
		await fc.assert(fc.asyncProperty(mixed, isSame), { numRuns: draws(1) });
	},
);

test.each<[what: string, expression: string, values: unknown[]]>([
	['an object or list, which n8n copies', '={{ $json.v }}', ['a', ['b', 'c'], { d: 1 }]],
	['an empty value', '={{ $json.v }}', ['a', null, '', 0, false]],
	['a field of an object', '={{ $json.in.v }}', ['a', 'b']],
	['text that looks like an expression', '={{ $json.v }}', ['a', '={{ 1 }}', '{{ 2 }}']],
	['a method', '={{ $json.toString }}', ['a', 'b']],
	['a name that n8n refuses', '={{ $json.constructors }}', ['a', 'b']],
	['text around the field', '={{ $json.v }} b', ['a', 'b']],
	['two fields', '={{ $json.v }}{{ $json.v }}', ['', 'b']],
	['a field of text', '={{ $json.v.length }}', ['a', 'bcd']],
	['something else than fields', '={{ $json.v ?? $itemIndex }}', ['a', null]],
])('what a value is stays what n8n computes: %s', async (_, expression, values) => {
	const input = values.map((v, index) => ({ v, constructors: v, ...(index % 2 && { in: { v } }) }));
	const run = async (text: string) => {
		lab.sandbox.controls.reset();
		const { items } = await lab.engine.run(
			{ resource: 'apiRequest', operation: 'request', method: 'POST', path: '/tags', body: text },
			{ input: input as IDataObject[], onError: 'continueRegularOutput' },
		);
		const sent = lodash.sortBy(lab.sandbox.controls.requests(), (each) => JSON.stringify(each));
		return { items, bodies: sent.map(({ body }) => body) };
	};
	// What has a comment is always left to n8n.
	const asked = await run(expression.replace('={{', '={{ /* n8n */'));
	expect(await run(expression)).toEqual(asked);
});

test('a mistake in a value without expressions fails all items, and is reported once', async () => {
	lab.sandbox.controls.reset();
	const parameters = {
		resource: 'lead',
		operation: 'upsert',
		externalId: '={{ $json.id }}',
		additionalFields: { estimatedValue: 'much' },
	};
	const input = lodash.range(5).map((index) => ({ id: `crm-${index}` }));
	const { error } = await lab.engine.run(parameters, { input });
	expect(error?.description).toMatch(/^Nothing was sent\.<br>\n<br>\nItems 1, 2, 3, 4, 5: /);
	const { items } = await lab.engine.run(parameters, { input, onError: 'continueRegularOutput' });
	expect(items.map(({ json }) => json.error)).toEqual(input.map(() => error?.message));
	expect(writes(lab.sandbox)).toEqual([]);
});
