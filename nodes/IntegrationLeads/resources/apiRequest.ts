import type { IHttpRequestMethods } from 'n8n-workflow';

import { toRecord } from '../values/json';
import { listParameters } from '../fields/common';
import { choice, flag, json, options, text } from '../fields/options';
import { isBlank, toJson, toObject } from '../values/convert';
import { compose, readChosen } from '../operation';
import type { Parameter, RequestDeclaration, Resource } from '../operation';
import { checkedPath } from '../transport/path';
import type { Convert } from '../values/context';
import { blankFilterError } from '../userError';

const pageParameters = listParameters.map((parameter): Parameter => {
	const show = { ...parameter.displayOptions?.show, method: ['GET'], paginate: [true] };
	return { ...parameter, displayOptions: { show } };
});

/** A parameter without a value would be no filter. */
const toQuery: Convert = (value, context) => {
	const query = toObject(value, context) ?? {};
	const blank = Object.entries(query).find(([, text]) => isBlank(text));
	if (!blank || context.tool) return query;
	throw blankFilterError(`${context.label}: ${blank[0]}`);
};

const anyRequest = {
	name: 'Request',
	action: 'Make API request',
	description: 'Call any path of the service, including those without an operation in this node',
	when: 'Use it only for what no other tool can do, and only when the path is known from the documentation of the service.',
	parameters: [
		choice('Method', 'method', 'GET', {
			options: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].map((name) => ({ name, value: name })),
		}),
		text('Path', 'path', {
			required: true,
			placeholder: 'e.g. /leads',
			description: 'The part after /api/v1/integration',
		}),
		json('Query', 'query', '{}', {
			convert: toQuery,
			refusesBlank: true,
			placeholder: 'e.g. {"status": "open"}',
			description: 'Query parameters as a JSON object',
		}),
		json('Body', 'body', '', {
			displayOptions: { show: { method: ['PATCH', 'POST', 'PUT', 'DELETE'] } },
			convert: toJson,
			placeholder: 'e.g. {"name": "vip"}',
			description: 'Request body as JSON',
		}),
		flag('Read a List', 'paginate', false, {
			displayOptions: { show: { method: ['GET'] } },
			description:
				'Whether the response is a list, to be read page by page and returned as one item for each entry',
		}),
		...pageParameters,
		options(),
	],
	output: { kind: 'raw' },
	route: ({ settings }) => ({
		method: settings.method as IHttpRequestMethods,
		path: checkedPath(String(settings.path ?? ''), 'Path'),
		query: toRecord(settings.query),
		body: settings.body,
	}),
} satisfies RequestDeclaration;

/** The same request, for a list of any records. */
const anyList = {
	...anyRequest,
	output: { kind: 'many', record: { singular: '', plural: '' } },
} satisfies RequestDeclaration;

export const apiRequest: Resource = {
	name: 'API Request',
	description:
		'Any other request to the service, with the same authentication, rate limiting and retries',
	defaultOperation: 'request',
	operations: {
		request: compose({
			...anyRequest,
			check: ({ settings }) => void checkedPath(String(settings.path ?? ''), 'Path'),
			steps: { request: anyRequest, list: anyList },
			run: async (values, steps) =>
				values.settings.paginate === true
					? await readChosen(values, steps.list)
					: await steps.request(values),
		}),
	},
};
