/** The operations of openapi.yaml as plain values. The sandbox, the probe and the tests take them from here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import formats from 'ajv-formats';
import Ajv, { type Options } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

import type { RecordShape } from './nodes/IntegrationLeads/contract/records.ts';

/** A JSON Schema. */
export interface Schema {
	$ref?: string;
	allOf?: Schema[];
	properties?: Record<string, Schema>;
	items?: Schema;
	type?: string | string[];
	enum?: string[];
	examples?: string[];
}

/** One operation; `path` is below the API prefix, with `{leadId}` and the like. */
export interface Operation {
	id: string;
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	path: string;
	/** The scope a key needs; assumed where the documentation names none. */
	scope: string;
	scopeAssumed: boolean;
	/** How we know what is sent: the section that states it, or what is expected where none does. */
	certainty: { stated: string } | { assumed: string };
	/** What the query and the body may hold. */
	query: Schema;
	body?: Schema;
	/** The name of the result in the envelope: `lead`, `leads`, …, or `deleted`. */
	answers: string;
	/** What the result is one of, or a list of. */
	record?: Schema;
	many: boolean;
}

/** What holds for requests and answers, how we know, and which file below nodes/IntegrationLeads/ relies on it. */
export type Rule = { rule: string; where: string } & Operation['certainty'];

interface Parameter {
	$ref?: string;
	name: string;
	schema: Schema;
}
type Content = { content: { 'application/json': { schema: Schema } } };
interface Definition {
	operationId: string;
	'x-certainty': Operation['certainty'];
	'x-scope'?: 'assumed';
	security: [{ apiKey: [string] }];
	parameters?: Parameter[];
	requestBody?: Content;
	responses: { '2XX': { $ref: string } };
}

export const openapi = parse(
	readFileSync(join(import.meta.dirname, 'openapi.yaml'), 'utf8'),
	// Absolute, so that a validator can resolve the references of any part of it.
	(key, value: unknown) => (key === '$ref' ? `openapi.yaml${String(value)}` : value),
) as {
	paths: Record<string, Record<string, Definition>>;
	components: {
		parameters: Record<string, Parameter>;
		responses: Record<string, Partial<Content>>;
		schemas: Record<string, Schema & { 'x-certainty': Operation['certainty'] }>;
	};
	'x-rules': Record<string, Rule>;
};
/** By id: the probe names the rule that each assumption backs. */
export const rules = openapi['x-rules'];
const { parameters, responses, schemas } = openapi.components;

const nameIn = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1);

/** The schema itself, or the one that it refers to. */
export function dereference(schema: Schema): Schema {
	return schema.$ref ? dereference(schemas[nameIn(schema.$ref)]) : schema;
}

/** What a schema says of each field, with what it takes from other schemas. */
export function fieldsOf({ $ref, allOf = [], properties }: Schema): Record<string, Schema> {
	const others = $ref ? [schemas[nameIn($ref)]] : allOf;
	return Object.assign({}, ...others.map(fieldsOf), properties) as Record<string, Schema>;
}

/** A record of the node: the fields of its schema, and those that the node adds. */
export function recordSchema({ schema, added = {} }: RecordShape): Schema {
	const own = schema === undefined ? {} : fieldsOf({ $ref: `#/components/schemas/${schema}` });
	const types = Object.entries(added).map(([name, type]) => [name, { type }]);
	return { type: 'object', properties: { ...own, ...Object.fromEntries(types) } };
}

/** What is returned of a record by default: the simplified one, if it has such a form. */
export function outputSchema(record: RecordShape): Schema {
	const whole = recordSchema(record);
	if (!record.simplified) return whole;
	const columns = Object.entries(record.simplified).flatMap(([name, path]) => {
		const found = path
			.split('.')
			.reduce<Schema | undefined>((schema, member) => schema && fieldsOf(schema)[member], whole);
		return found ? [[name, found] as const] : [];
	});
	return { type: 'object', properties: Object.fromEntries(columns) };
}

function queryOf(given: Parameter[] = []): Schema {
	const all = given.map((each) => (each.$ref ? parameters[nameIn(each.$ref)] : each));
	return {
		type: 'object',
		properties: Object.fromEntries(all.map((p) => [p.name, p.schema])),
	} as Schema;
}

function toOperation(path: string, method: string, definition: Definition): Operation {
	const answers = nameIn(definition.responses['2XX'].$ref);
	const data = responses[answers].content?.['application/json'].schema.properties?.data;
	const list = data?.properties?.[answers];
	return {
		id: definition.operationId,
		method: method.toUpperCase() as Operation['method'],
		path,
		scope: definition.security[0].apiKey[0],
		scopeAssumed: definition['x-scope'] === 'assumed',
		certainty: definition['x-certainty'],
		query: queryOf(definition.parameters),
		body: definition.requestBody?.content['application/json'].schema,
		answers,
		record: list?.items ?? data,
		many: list !== undefined,
	};
}

/** All operations, in the order of the file. */
export const operations = Object.entries(openapi.paths).flatMap(
	([path, { parameters: _, ...methods }]) =>
		Object.entries(methods).map(([method, definition]) => toOperation(path, method, definition)),
);

/** Every scope there is. */
export const allScopes: readonly string[] = [...new Set(operations.map(({ scope }) => scope))];

/** The operation of this id. */
export function operationOf(id: string): Operation {
	const found = operations.find((each) => each.id === id);
	if (!found) throw new Error(`openapi.yaml has no operation ${id}`);
	return found;
}

/** Validates values against its schemas; `strict` would refuse the keywords that OpenAPI adds. */
export function createValidator(options: Options = {}): Ajv {
	return formats(new Ajv({ ...options, strict: false })).addSchema(openapi, 'openapi.yaml');
}
