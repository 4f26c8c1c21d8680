/**
 * What saved workflows, expressions and credentials rely on, as facts: names and defaults of parameters, their values,
 * fields of the output. Read from the build.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

import lodash from 'lodash';

import { fromRoot, manifest } from './repository.mjs';

const { partition } = lodash;
const load = createRequire(import.meta.url);
const PREVIEWS = fromRoot('dist', 'nodes', 'IntegrationLeads', '__schema__', 'v1.0.0');

/**
 * What each fact is true of: operations, resources, or (empty) the whole node or credential.
 * @typedef {Record<string, string[]>} Facts
 */

/** @returns {Record<string, Facts>} by the name of the node or credential */
export function storedFacts() {
	const { nodes, credentials } = manifest.n8n;
	const types = [...nodes, ...credentials].map((file) => {
		const type = new (load(fromRoot(file))[basename(file).split('.')[0]])();
		return type.description ?? type;
	});
	const { eventColumns } = load(fromRoot('dist/nodes/IntegrationLeads/trigger/types.js'));
	const events = Object.keys(eventColumns).map((field) => [`output ${field}`, '']);
	return Object.fromEntries(
		types.map((type) => [type.name, grouped([...pairsOf(type), ...(type.polling ? events : [])])]),
	);
}

/**
 * Facts that are not true any more.
 * @param {Record<string, Facts>} released
 * @param {Record<string, Facts>} current
 * @returns {string[]}
 */
export const missingFacts = (released, current) =>
	Object.entries(released).flatMap(([type, facts]) =>
		Object.entries(facts).flatMap(([fact, places]) =>
			places
				.filter((place) => !current[type]?.[fact]?.includes(place))
				.map((place) => [type, place, fact].filter(Boolean).join(' ')),
		),
	);

/** Pairs of a fact and what it is true of. */
function pairsOf({ version = [], properties }) {
	const operations = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options, displayOptions: { show } }) =>
			options.map(({ value }) => ({ resource: show.resource[0], operation: value })),
		);
	const parameters = properties.flatMap((property) =>
		pairsIn(property, placesOf(property, operations)),
	);
	const outputs = operations.flatMap(({ resource, operation }) => {
		const file = join(PREVIEWS, resource, `${operation}.json`);
		const preview = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
		return fieldsOf(preview).map((field) => [`output ${field}`, `${resource}.${operation}`]);
	});
	const versions = [version].flat().map((each) => [`version ${each}`, '']);
	return [...versions, ...parameters, ...outputs];
}

/** Pairs of a parameter and of all in it. n8n does not save a value that is the default, so defaults count too. */
function pairsIn(property, places, prefix = '') {
	const { name, type, default: value, options = [], values = [], modes = [] } = property;
	if (type === 'notice') return [];
	const path = `${prefix}${name}`;
	const [entries, inner] = partition([...options, ...values], (each) => 'value' in each);
	const facts = [
		...(type ? [`${path}: ${type}, ${JSON.stringify(value)}`] : []),
		...modes.map((mode) => `${path} by ${mode.name}`),
		...entries.map((entry) => `${path} = ${JSON.stringify(entry.value)}`),
	];
	return [
		...facts.flatMap((fact) => places.map((place) => [fact, place])),
		...inner.flatMap((each) => pairsIn(each, placesInside(each, places), `${path}.`)),
	];
}

/** A field of a collection may be for some of its operations only. */
function placesInside({ displayOptions: { show = {} } = {} }, places) {
	const { '/resource': resources, '/operation': operations } = show;
	return places.filter((place) => {
		const [resource, operation] = place.split('.');
		return resources?.includes(resource) !== false && operations?.includes(operation) !== false;
	});
}

function placesOf({ displayOptions: { show = {} } = {} }, operations) {
	if (!show.resource) return [''];
	if (!show.operation) return show.resource;
	return operations
		.filter((at) => show.resource.includes(at.resource) && show.operation.includes(at.operation))
		.map(({ resource, operation }) => `${resource}.${operation}`);
}

/** The fields of an output preview, with those inside of records and lists. */
const fieldsOf = ({ properties = {}, items }) =>
	items
		? fieldsOf(items)
		: Object.entries(properties).flatMap(([name, field]) => [
				name,
				...fieldsOf(field).map((inside) => `${name}.${inside}`),
			]);

/** Sorted, so that a change of order is no change. */
function grouped(pairs) {
	const facts = {};
	for (const [fact, place] of pairs.sort()) {
		facts[fact] = [...new Set([...(facts[fact] ?? []), place])];
	}
	return facts;
}
