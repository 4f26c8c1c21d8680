/** The operations of openapi.yaml as plain values. The sandbox, the probe and the tests take them from here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

/** A JSON Schema. */
export type Schema = Record<string, unknown> & { properties?: Record<string, Schema> };

/** One operation; `path` is below the API prefix, with `{leadId}` and the like. */
export interface Operation {
	id: string;
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	path: string;
	/** The scope a key needs; assumed where the documentation names none. */
	scope: string;
	scopeAssumed: boolean;
	/** How we know what is sent: the section that states it, or what is expected where none does. */
	certainty: { stated?: string; assumed?: string };
	/** What the query and the body may hold. */
	query: Schema;
	body?: Schema;
	/** What a success holds, as the envelope names it: `lead`, `leads`, …, `results`, `deleted`. */
	answers: string;
}

type Parameter = { in: string; name: string; schema: Schema };
type Ref = { $ref: string };
type Item = Record<string, Definition> & { parameters?: Array<Parameter | Ref> };
interface Definition {
	operationId: string;
	'x-certainty': Operation['certainty'];
	'x-scope'?: 'assumed';
	security: [{ apiKey: [string] }];
	parameters?: Array<Parameter | Ref>;
	requestBody?: { content: { 'application/json': { schema: Schema } } };
	responses: { '2XX': Ref };
}

export const openapi = parse(
	readFileSync(join(import.meta.dirname, 'openapi.yaml'), 'utf8'),
	// Absolute, so that a validator can resolve the references of any part of it.
	(key, value: unknown) => (key === '$ref' ? `openapi.yaml${String(value)}` : value),
) as {
	paths: Record<string, Item>;
	components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> };
};

const nameOf = ({ $ref }: Ref) => $ref.slice($ref.lastIndexOf('/') + 1);

/** What a schema says of each field, with what it takes from other schemas. */
export function fieldsOf(schema: Schema): Record<string, Schema> {
	const { $ref, allOf = [], properties } = schema as Schema & Partial<Ref> & { allOf?: Schema[] };
	const others = $ref ? [openapi.components.schemas[nameOf({ $ref })]] : allOf;
	return Object.assign({}, ...others.map(fieldsOf), properties) as Record<string, Schema>;
}

function queryOf(parameters: Array<Parameter | Ref> = []): Schema {
	const all = parameters.map((each) =>
		'$ref' in each ? openapi.components.parameters[nameOf(each)] : each,
	);
	return { type: 'object', properties: Object.fromEntries(all.map((p) => [p.name, p.schema])) };
}

/** All operations, in the order of the file. */
export const operations: Operation[] = Object.entries(openapi.paths).flatMap(
	([path, { parameters: _, ...methods }]) =>
		Object.entries(methods).map(([method, definition]) => ({
			id: definition.operationId,
			method: method.toUpperCase() as Operation['method'],
			path,
			scope: definition.security[0].apiKey[0],
			scopeAssumed: definition['x-scope'] === 'assumed',
			certainty: definition['x-certainty'],
			query: queryOf(definition.parameters),
			body: definition.requestBody?.content['application/json'].schema,
			answers: nameOf(definition.responses['2XX']),
		})),
);

/** The operation of this id. */
export function operationOf(id: string): Operation {
	const found = operations.find((each) => each.id === id);
	if (!found) throw new Error(`openapi.yaml has no operation ${id}`);
	return found;
}

/** Every scope there is. */
export const allScopes: readonly string[] = [...new Set(operations.map(({ scope }) => scope))];
