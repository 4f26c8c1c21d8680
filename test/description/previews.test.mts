/** The output previews of the build, read the way n8n reads them. Which fields they have: stored.test.mts. */
import { join } from 'node:path';

import { loadOutputSchema } from 'n8n-core';

import { resources } from '../../nodes/IntegrationLeads/resources';

const nodeDir = join(__dirname, '../../dist/nodes/IntegrationLeads');

interface Field {
	type?: unknown;
	properties?: Record<string, Field>;
	items?: Field;
}

/** The type of a field and of everything in it. */
function typesIn({ type, properties = {}, items }: Field): unknown[] {
	const inside = [...Object.values(properties), ...(items ? [items] : [])];
	return [type, ...inside.flatMap(typesIn)];
}

test('n8n finds what each operation outputs, in types that its editor can show', () => {
	// Anything else, a list of types for example, n8n's editor shows as "undefined" or as the first of them.
	const shown = ['string', 'number', 'integer', 'boolean', 'object', 'array'];
	for (const [resource, { operations }] of Object.entries(resources)) {
		for (const [operation, { output }] of Object.entries(operations)) {
			if (output.kind === 'anything') continue;
			const preview: Field = loadOutputSchema({ nodeDir, version: 1, resource, operation }) ?? {};
			expect(preview).toMatchObject({ type: 'object', properties: expect.anything(), version: 1 });
			expect(shown).toEqual(expect.arrayContaining(typesIn(preview)));
		}
	}
});
