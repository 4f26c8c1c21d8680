/** What is declared is what openapi.yaml describes, in both directions. */
import { interactionTypes, documentedValues } from '../../nodes/IntegrationLeads/contract/records';
import { mapperFields } from '../../nodes/IntegrationLeads/columns/mapping';
import type {
	ComposedOperation,
	Operation,
	Parameter,
	RequestOperation,
} from '../../nodes/IntegrationLeads/operation';
import { routesOf } from '../../nodes/IntegrationLeads/operation';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { leads } from '../../nodes/IntegrationLeads/resources/lead';
import { sendLead, updateLead } from '../../nodes/IntegrationLeads/resources/leadRequests';
import { tagSteps } from '../../nodes/IntegrationLeads/resources/leadTags';
import { fieldsOf, openapi, operations, recordSchema, type Schema } from '../../openapi.mts';

const { schemas } = openapi.components;
const declared = Object.entries(resources).flatMap(([resource, { operations: own }]) =>
	Object.entries(own).map(([key, operation]) => ({ name: `${resource}.${key}`, operation })),
);
/** The requests of *Create or Update*, *Update*, *Add Tags* and *Update Status* are steps. */
const requests: Array<{ name: string; operation: RequestOperation }> = [
	...declared.flatMap(({ name, operation }) => ('route' in operation ? [{ name, operation }] : [])),
	{ name: 'lead.upsert', operation: sendLead },
	{ name: 'lead.addTags', operation: tagSteps.addTags },
	{ name: 'lead.update', operation: updateLead },
	{
		name: 'lead.updateStatus',
		operation: (leads.operations.updateStatus as ComposedOperation).compose.steps
			.send as RequestOperation,
	},
];
const routed = requests.flatMap(({ name, operation }) =>
	routesOf(operation).map((route) => ({ name, route, operation })),
);
const steps = declared.flatMap(({ name, operation }) =>
	'compose' in operation
		? Object.entries(operation.compose.steps).map(([key, step]) => ({ name, key, step, operation }))
		: [],
);
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

function namesOf(operation: Operation, place: 'query' | 'body'): string[] {
	const { parameters, output } = operation;
	const { batch } = operation as RequestOperation;
	const paging = place === 'query' && output.kind === 'many' ? ['page', 'limit'] : [];
	if (batch) return place === 'body' ? ['leads'] : [];
	return [...paging, ...parameters.flatMap((each) => sentNames(each, place))];
}

const sortedSet = (names: string[]) => [...new Set(names)].sort();
const fieldNames = (schema: Schema = {}) => Object.keys(fieldsOf(schema)).sort();

it('there are the 27 operations of the specification, each with one name', () => {
	expect(sortedSet(operations.map(({ id }) => id))).toHaveLength(27);
});

it.each([
	...routed.map(({ name, route, operation }) => ({ name, route, scope: operation.scope })),
	...steps.map(({ name, step }) => ({ name, route: String(step.route), scope: step.scope })),
])('$name: $route is described, with its scope', ({ route, scope: declaredScope }) => {
	const { scope, scopeAssumed } = descriptionOf(route);
	expect(declaredScope).toEqual(scopeAssumed ? { assumed: scope } : scope);
});

it.each(steps)('$name: its step $key is an operation or a search', ({ step }) => {
	const operations = requests.map(({ operation }) => operation);
	// A single page, as it comes, is no operation.
	const isPage = 'output' in step && step.output.kind === 'raw';
	if (!('finds' in step) && !isPage) expect(operations).toContain(step);
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
		const names = senders.flatMap(({ operation }) => namesOf(operation, place));
		expect(sortedSet(names)).toEqual(fieldNames(schema));
	});

	it('the answer has the same fields', () => {
		for (const { operation } of reaching) {
			const { output } = operation;
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
	// Adding a tag twice is adding it once.
	const isSet = operation === tagSteps.addTags;
	if (method === 'POST') expect(operation.repeatable === true).toBe(isSet);
	// GET, PUT and DELETE are by default: nothing else is declared for them.
	else if (method !== 'PATCH') expect(operation.repeatable).toBeUndefined();
});

describe('operations that create', () => {
	const creating = requests.filter(({ operation }) => operation.listOperation);

	it.each(creating)('$name: its list is an operation of the same parent', ({ operation }) => {
		const { route, listOperation } = operation;
		expect(listOperation?.route).toBe(String(route).replace('POST', 'GET'));
		expect(declared.map((each) => each.operation)).toContain(listOperation);
		expect(listOperation?.output.kind).toBe('many');
	});

	it('every POST that is not repeatable has a list, where the service has one', () => {
		const others = routed.filter(
			({ route, operation: { repeatable, listOperation } }) =>
				route.startsWith('POST') && repeatable === undefined && !listOperation,
		);
		expect(others).toEqual([]);
	});
});
