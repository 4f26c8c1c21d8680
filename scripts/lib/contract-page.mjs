import lodash from 'lodash';

import { fieldsOf, openapi, operations, recordSchema, rules } from '../../openapi.mts';
import { markdownTable } from './markdown.mjs';

const HEAD = `<!-- Written by \`npm run build\` from openapi.yaml and the declarations. Change those, not this page. -->

# What the node takes the service to be

**Stated** is what the documentation of the service shows, with its section. **Assumed** is our expectation where it is silent: a guess that the node is written to survive. [openapi.yaml](../openapi.yaml) describes the operations for other tools. \`npm run probe\` compares all of it with a live service.`;

/**
 * docs/contract.md: what is stated, and what is assumed.
 * @param {Record<string, import('../../nodes/IntegrationLeads/operation').Resource>} resources
 * @param {typeof import('../../nodes/IntegrationLeads/operation').routesOf} routesOf
 */
export function contractPage(resources, routesOf) {
	const declared = lodash
		.sortBy(Object.values(resources), 'name')
		.flatMap(({ name, operations: own }) =>
			Object.values(own).map((operation) => ({
				...operation,
				routes: routesOf(operation),
				resource: name,
			})),
		);
	return [
		HEAD,
		'## All calls',
		markdownTable([
			['What', 'How we know', 'Where in `nodes/IntegrationLeads`'],
			...Object.values(rules).map((each) => [each.rule, certaintyOf(each), code(each.where)]),
		]),
		'## What is sent',
		'Every body can be extended by *Options > Additional Body*.',
		markdownTable([
			['Route', 'Query and body', 'How we know', 'Operations'],
			...operations.map((operation) => sentBy(operation, declared)),
		]),
		'## What comes back',
		'No field is required, except an `id` where the next step needs one. What is not listed passes through, unless *Simplify* is on.',
		markdownTable([['Record', 'Fields', 'Given by', 'How we know'], ...recordsOf(declared)]),
		'',
	].join('\n\n');
}

function sentBy({ method, path, query, body = {}, certainty }, declared) {
	const names = [query, body].flatMap((schema) => Object.keys(fieldsOf(schema)));
	return [
		code(`${method} ${path}`),
		names.map(code).join(', ') || 'none',
		certaintyOf(certainty),
		labels(declared.filter(({ routes }) => routes.includes(`${method} ${path}`))),
	];
}

/** One row for each shape, and who gives it. */
function recordsOf(declared) {
	return lodash
		.uniq(declared.flatMap(({ output }) => output.record ?? []))
		.map((record) => [
			record.singular,
			Object.keys(recordSchema(record).properties).map(code).join(', '),
			labels(declared.filter(({ output }) => output.record === record)),
			record.schema
				? certaintyOf(openapi.components.schemas[record.schema]['x-certainty'])
				: 'built by the node',
		]);
}

/** Such as "Contact: Create, Get". */
const labels = (declared) =>
	Object.entries(lodash.groupBy(declared, 'resource'))
		.map(([resource, own]) => `${resource}: ${lodash.map(own, 'name').join(', ')}`)
		.join('; ');

const code = (name) => `\`${name}\``;

const certaintyOf = ({ stated, assumed }) => (stated ? `stated, ${stated}` : `assumed: ${assumed}`);
