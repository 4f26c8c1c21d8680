import lodash from 'lodash';

import { markdownTable } from './markdown.mjs';

const HEAD = `<!-- Written by \`npm run build\` from the declarations. Change those, not this page. -->

# What the node takes the service to be

The description of the service shows the requests of five operations and the response of one. **Stated** is what it shows, with its section. **Assumed** is our expectation where it is silent: a guess, however likely, that the node is written to survive. \`npm run probe\` compares all of it with a live service.`;

/**
 * docs/contract.md: what is stated, and what is assumed.
 * @param {Record<string, import('../../nodes/IntegrationLeads/operation').Resource>} resources
 * @param {typeof import('../../nodes/IntegrationLeads/contract/rules').rules} rules
 */
export function contractPage(resources, rules) {
	const sorted = lodash.sortBy(Object.values(resources), 'name');
	return [
		HEAD,
		'## All calls',
		markdownTable([
			['What', 'How we know', 'Where in `nodes/IntegrationLeads`'],
			...rules.map(({ rule, certainty, where }) => [rule, certaintyOf(certainty), `\`${where}\``]),
		]),
		'## What is sent',
		'Beside the path. Every body can be extended by *Additional Body*.',
		...sorted.map(sentBy).filter(Boolean),
		'## What comes back',
		'Fields are never required, except an `id` where the next step needs one, and never dropped: what is not listed here passes through.',
		markdownTable([['Record', 'Fields', 'Given by', 'How we know'], ...recordsOf(sorted)]),
		'',
	].join('\n\n');
}

function sentBy({ name, operations }) {
	const routed = Object.values(operations).filter(({ route }) => route);
	if (routed.length === 0) return undefined;
	const rows = lodash
		.sortBy(routed, 'name')
		.map((operation) => [
			operation.name,
			`\`${operation.route}\``,
			fieldsOf(operation),
			certaintyOf(operation.sends),
		]);
	return `### ${name}\n\n${markdownTable([['Operation', 'Route', 'Fields', 'How we know'], ...rows])}`;
}

function fieldsOf({ parameters, output, batch }) {
	const names = parameters.flatMap((parameter) => sentNames(parameter));
	const paging = output.kind === 'many' ? ['page', 'limit'] : [];
	const all = [...new Set([...paging, ...names])].map(code);
	if (batch) return `\`${batch.listName}\`: a list of leads`;
	return all.join(', ') || 'none';
}

/** Names of what a parameter sends in query or body; what is spread has the user's own names. */
function sentNames({ in: place, name, field = name, type, spread, options = [] }) {
	if (place === 'path' || spread) return [];
	if (place) return [field];
	return type === 'collection' ? options.flatMap(sentNames) : [];
}

/** One row for each shape, and who gives it. */
function recordsOf(resources) {
	const given = resources.flatMap(({ name, operations }) =>
		Object.values(operations)
			.filter(({ output }) => output.record)
			.map(({ name: operation, output: { record } }) => ({ record, by: `${name} > ${operation}` })),
	);
	return lodash.uniq(given.map(({ record }) => record)).map((record) => [
		record.singular,
		Object.keys(record.schema.shape).map(code).join(', '),
		given
			.filter((each) => each.record === record)
			.map(({ by }) => by)
			.join(', '),
		certaintyOf(record.certainty),
	]);
}

const code = (name) => `\`${name}\``;

const certaintyOf = ({ stated, assumed }) => (stated ? `stated, ${stated}` : `assumed: ${assumed}`);
