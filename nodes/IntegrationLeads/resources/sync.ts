import { lead, pushed } from '../contract/records';
import { contactLookups, hasLeadKey, isSafeToRepeat, comparesFirst } from '../contract/leadKey';
import { additionalBody } from '../fields/common';
import { choice, flag, json, number, options } from '../fields/options';
import { externalId } from '../fields/leadFields';
import { externalIdColumn, leadFromColumns, noteColumns } from '../columns/mapping';
import { compose, single } from '../operation';
import type { Parameter, RequestDeclaration, Resource, RunContext, Values } from '../operation';
import { isBlank, toObject } from '../values/convert';
import { lookFirst } from './leadRequests';
import { requireLead } from './requireLead';
import { upsert, upsertScopes } from './upsertLead';

/** The external ID in the path. */
const syncedExternalId: Parameter = {
	...externalId,
	in: 'path',
	printable: true,
	required: true,
};

const pushRequest = {
	name: 'Push Leads',
	action: 'Push leads',
	description: 'Create or update many leads: all input items, in few requests',
	when: 'Use it for leads that another system keeps, each with its external ID or the code of a tracking link, else the email or the phone. One call sends one lead.',
	scope: 'sync',
	route: 'POST /sync',
	repeatable: isSafeToRepeat,
	parameters: [
		choice('Specify Leads', 'specifyLeads', 'fields', {
			options: [
				{
					name: 'Using Columns of the Input',
					value: 'fields',
					description: 'Each item is a lead, such as a row of a spreadsheet',
				},
				{ name: 'Using JSON', value: 'json', description: 'One JSON object for each item' },
			],
			description: 'How to give the leads. Each input item is one lead.',
		}),
		...leadFromColumns({ specifyLeads: ['fields'] }),
		json('Lead (JSON)', 'leadJson', '={{ $json }}', {
			in: 'body',
			spread: true,
			convert: toObject,
			displayOptions: { show: { specifyLeads: ['json'] } },
			description:
				'The lead of one item as a JSON object, with the fields of Create or Update. It is sent as it is. Of a list, make items with a Split Out node.',
		}),
		options([
			additionalBody,
			number('Batch Size', 'batchSize', 100, {
				typeOptions: { minValue: 1, numberPrecision: 0 },
				description: 'How many leads to send in one request at most',
			}),
			lookFirst,
			flag('Read Unconfirmed Leads', 'readUnconfirmed', true, {
				description:
					'Whether to read a lead that the answer neither confirms nor refuses, so that what the service holds decides. Otherwise it is output with "unconfirmed": true.',
			}),
			externalIdColumn({ '/specifyLeads': ['fields'] }),
			noteColumns({ '/specifyLeads': ['fields'] }),
		]),
	],
	output: { kind: 'one', record: pushed, upserts: true },
	outputsInput: true,
	check: requireLead,
} satisfies RequestDeclaration;

/** Whether a row is sent as *Create or Update* sends it: what only that does, such as a note, takes requests of its own. */
function goesAlone({ body, extracted, options }: Values, context: RunContext): boolean {
	return (
		extracted.answers !== undefined ||
		context.isCorrection === true ||
		// Without a person, there is nothing to compare.
		(comparesFirst(body, context, options.lookFirst) && !isBlank(body.contact)) ||
		(!hasLeadKey(body) && contactLookups(body.contact, context).length === 0)
	);
}

const push = compose({
	...pushRequest,
	otherScopes: {
		...upsertScopes,
		'read unconfirmed leads': ['leads:read'],
		'send rows that cannot share a request': ['leads:write'],
	},
	batch: { request: pushRequest, goesAlone },
	steps: upsert.steps,
	fillsContact: true,
	run: upsert.run,
});

/** The only route that deletes a lead (spec 4.6). */
export const deleteSynced = {
	name: 'Delete',
	action: 'Delete synchronised lead',
	description: 'Delete the lead that was synchronised with an external ID',
	when: 'Use it only when told to delete this very lead, with its exact external ID. Never guess the ID.',
	scope: { assumed: 'sync' },
	route: 'DELETE /sync/{externalId}',
	parameters: [syncedExternalId, options()],
	output: { kind: 'deleted' },
} satisfies RequestDeclaration;

export const sync: Resource = {
	name: 'Sync',
	description: 'Many leads at once, and leads by your own external ID',
	defaultOperation: 'push',
	operations: {
		delete: single(deleteSynced),
		get: single({
			name: 'Get',
			action: 'Get synchronised lead',
			description: 'Get the lead that was synchronised with an external ID',
			when: 'Use it when the external ID of a lead is known and the lead was sent in bulk.',
			scope: { assumed: 'sync' },
			route: 'GET /sync/{externalId}',
			parameters: [syncedExternalId, options()],
			output: { kind: 'one', record: lead },
		}),
		push,
	},
};
