/** What is declared is what openapi.yaml describes, in both directions. */
import { uniqBy } from 'lodash';

import { interactionTypes, documentedValues } from '../../nodes/IntegrationLeads/contract/records';
import { mapperFields } from '../../nodes/IntegrationLeads/columns/mapping';
import type { Parameter, RequestDeclaration } from '../../nodes/IntegrationLeads/operation';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { linkByCode } from '../../nodes/IntegrationLeads/resources/leadOfChat';
import { tagSteps } from '../../nodes/IntegrationLeads/resources/leadTags';
import { fieldsOf, openapi, operations, recordSchema, type Schema } from '../../openapi.mts';

const { schemas } = openapi.components;
const declared = Object.entries(resources).flatMap(([resource, { operations: own }]) =>
	Object.entries(own).map(([key, operation]) => ({ name: `${resource}.${key}`, operation })),
);
const steps = declared.flatMap(({ name, operation }) =>
	Object.entries(operation.steps).map(([key, step]) => ({ name, key, step, operation })),
);
/** The requests that operations send, each declared once: those of an operation of one request, and steps of others. */
const requests = uniqBy(
	[
		...declared.map(({ name, operation }) => ({ name, operation: operation.batch?.request })),
		...steps.map(({ name, step }) => ({ name, operation: step })),
	].filter(
		(each): each is { name: string; operation: RequestDeclaration } =>
			each.operation !== undefined && 'output' in each.operation,
	),
	'operation',
);
const routed = requests.flatMap(({ name, operation }) =>
	typeof operation.route === 'string' ? [{ name, route: operation.route, operation }] : [],
);
const batches: unknown[] = declared.flatMap(({ operation }) => operation.batch?.request ?? []);
const described = operations.map((each) => ({ ...each, route: `${each.method} ${each.path}` }));
const descriptionOf = (route: string) => described.find((each) => each.route === route)!;

/** The names that a parameter sends in the query or the body; what is spread has the user's own names. */
function sentNames(parameter: Parameter, wanted: 'query' | 'body'): string[] {
	const { in: place, name, field = name, type, spread, options = [] } = parameter;
	// `contact.name` is a field of the object `contact`.
	if (place) return place === wanted && !spread ? [field.split('.')[0]] : [];
	if (type !== 'collection') return [];
	return (options as Parameter[]).flatMap((each) => sentNames(each, wanted));
}

function namesOf(
	operation: Pick<RequestDeclaration, 'parameters' | 'output'>,
	place: 'query' | 'body',
	isBatch: boolean,
): string[] {
	const { parameters, output } = operation;
	const paging = place === 'query' && output.kind === 'many' ? ['page', 'limit'] : [];
	if (isBatch) return place === 'body' ? ['leads'] : [];
	return [...paging, ...parameters.flatMap((each) => sentNames(each, place))];
}

const sortedSet = (names: string[]) => [...new Set(names)].sort();
const fieldNames = (schema: Schema = {}) => Object.keys(fieldsOf(schema)).sort();

it('there are the 27 operations of the specification, each with one name', () => {
	expect(sortedSet(operations.map(({ id }) => id))).toHaveLength(27);
});

it.each([
	...routed.map(({ name, route, operation }) => ({ name, route, scope: operation.scope })),
	...steps.flatMap(({ name, step: { route, scope } }) =>
		typeof route === 'string' ? [{ name, route, scope }] : [],
	),
])('$name: $route is described, with its scope', ({ route, scope: declaredScope }) => {
	const { scope, scopeAssumed } = descriptionOf(route);
	expect(declaredScope).toEqual(scopeAssumed ? { assumed: scope } : scope);
});

it.each(steps)('$name: its step $key is an operation or a search', ({ step }) => {
	const actions = declared.map(({ operation }) => operation.action);
	if (!('finds' in step)) expect(actions).toContain(step.action);
});

describe.each(described)('$route', ({ route, query, body, record }) => {
	const reaching = routed.filter((each) => each.route === route);
	const searching = steps.filter(({ step }) => 'finds' in step && step.route === route);
	// The operation that does nothing but search has the parameters of the search.
	const senders = reaching.length > 0 ? reaching : searching.slice(-1);

	it('can be reached', () => {
		expect(senders).not.toEqual([]);
	});

	it.each([
		['query', query],
		['body', body],
	] as const)('the %s has the same names', (place, schema) => {
		const names = senders.flatMap(({ operation }) =>
			namesOf(operation, place, batches.includes(operation)),
		);
		expect(sortedSet(names)).toEqual(fieldNames(schema));
	});

	it('the answer has the same fields', () => {
		for (const { operation } of reaching) {
			const { output } = operation;
			// A single page, as it comes.
			if (output.kind === 'raw') continue;
			const own = 'record' in output && recordSchema({ ...output.record, added: {} });
			const fields = own ? Object.keys(own.properties ?? {}) : [];
			expect(fields.sort()).toEqual(fieldNames(record));
		}
	});
});

it('the columns of Push Leads are the fields of a lead', () => {
	const { contact: _, ...own } = fieldsOf(schemas.LeadUpsert);
	const names = [...Object.keys(own), ...fieldNames(schemas.ContactFields)];
	expect(mapperFields.map(({ id }) => id).sort()).toEqual(names.sort());
});

it('values that are listed are the same', () => {
	expect([...interactionTypes].sort()).toEqual(
		schemas.InteractionFields.properties?.type.enum?.sort(),
	);
	expect(documentedValues.status).toEqual(schemas.Status.examples);
	expect(documentedValues.priority).toEqual(schemas.Priority.examples);
	expect(documentedValues.source).toEqual(schemas.Source.examples);
});

const namesInPath = (route: string) => [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

it.each(routed)('$name: each part of $route that varies is a parameter', ({ route, operation }) => {
	const names = namesInPath(route);
	const parameters = operation.parameters.filter(({ in: place }) => place === 'path');
	expect(parameters.map(({ name }) => name).sort()).toEqual(names.sort());
	expect(parameters.filter(({ required }) => !required)).toEqual([]);
});

it.each(routed)('$name: repeats only what is safe to repeat', ({ route, operation }) => {
	const [method] = route.split(' ');
	// Adding a tag twice is adding it once, and so is linking a person to the lead of a code.
	const isSet = operation === tagSteps.addTags || operation === linkByCode;
	if (method === 'POST') expect(operation.repeatable === true).toBe(isSet);
	// GET, PUT and DELETE are by default: nothing else is declared for them.
	else if (method !== 'PATCH') expect(operation.repeatable).toBeUndefined();
});

it.each(declared.map(({ name, operation }) => [name, operation] as const))(
	'%s says what each scope of its other steps is for',
	(_, { scope, otherScopes = {}, steps: own, batch }) => {
		const nameOf = (each: typeof scope) => (typeof each === 'object' ? each.assumed : each);
		const needed = Object.values({ ...own, batch: batch?.request }).map((step) =>
			nameOf(step?.scope),
		);
		const others = needed.filter((each) => each !== undefined && each !== nameOf(scope));
		expect(sortedSet(Object.values(otherScopes).flat())).toEqual(sortedSet(others as string[]));
	},
);

describe('operations that create', () => {
	const creating = requests.filter(({ operation }) => operation.listStep);

	it.each(creating)('$name: its list is an operation of the same parent', ({ operation }) => {
		const { route, listStep } = operation;
		expect(listStep?.route).toBe(String(route).replace('POST', 'GET'));
		expect(requests.map((each) => each.operation)).toContain(listStep);
		expect(listStep?.output.kind).toBe('many');
	});

	it('every POST that is not repeatable has a list, where the service has one', () => {
		const others = routed.filter(
			({ route, operation: { repeatable, listStep } }) =>
				route.startsWith('POST') && repeatable === undefined && !listStep,
		);
		expect(others).toEqual([]);
	});
});
