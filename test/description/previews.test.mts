/** The output previews of the build, read the way n8n reads them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { loadOutputSchema } from 'n8n-core';

import { outputSchema } from '../../openapi.mts';
import { resources } from '../../nodes/IntegrationLeads/resources';

const nodeDir = join(__dirname, '../../dist/nodes/IntegrationLeads');

const operations = Object.entries(resources).flatMap(([resource, declared]) =>
	Object.entries(declared.operations).map(([operation, { output }]) => ({
		resource,
		operation,
		output,
	})),
);
const previewed = operations.filter(({ output }) => output.kind !== 'anything');

interface Field {
	type?: unknown;
	properties?: Record<string, Field>;
	items?: Field;
}

const load = (ref: { resource: string; operation: string }): Field =>
	loadOutputSchema({ nodeDir, version: 1, ...ref }) ?? {};

/** The type of a field and of everything in it. */
function typesIn({ type, properties = {}, items }: Field): unknown[] {
	const inside = [...Object.values(properties), ...(items ? [items] : [])];
	return [type, ...inside.flatMap(typesIn)];
}

test.each(previewed)('n8n finds what $resource $operation outputs', ({ output, ...ref }) => {
	const preview = load(ref);
	expect(preview).toMatchObject({ type: 'object', version: 1 });
	const fields =
		'record' in output ? Object.keys(outputSchema(output.record).properties ?? {}) : ['deleted'];
	expect(Object.keys(preview.properties ?? {})).toEqual(fields);
	// Anything else, a list of types for example, n8n's editor shows as "undefined" or as the first of them.
	const shown = ['string', 'number', 'integer', 'boolean', 'object', 'array'];
	expect(shown).toEqual(expect.arrayContaining(typesIn(preview)));
});

test('there are no previews of operations that are no more', () => {
	const files = readdirSync(join(nodeDir, '__schema__'), { recursive: true }).map(String);
	const expected = previewed.map(({ resource, operation }) =>
		join('v1.0.0', resource, `${operation}.json`),
	);
	expect(files.filter((file) => file.endsWith('.json')).sort()).toEqual(expected.sort());
});
