import { conversionExport } from '../conversion/export';
import { parseExportSettings } from '../conversion/exportSettings';
import { isRecord } from '../contract/envelope';
import { conversion, lead, listedLead, upsertedLead } from '../contract/lead';
import { upsertOutcome } from '../contract/upsertOutcome';
import { additionalBody, listParameters, options } from '../fields/common';
import { conversionOptions, conversionParameters } from '../fields/conversion';
import {
	additionalFields,
	filters,
	leadFieldsToClear,
	leadId,
	leadIdentifiers,
	leadIdOrExternalId,
	newStatus,
	startPage,
	tagId,
	tagsByName,
	tagsFromList,
	updateFields,
	upsertOptions,
} from '../fields/lead';
import {
	identifyByAddress,
	isUpsertByExternalId,
	requireBody,
	requireIdentifier,
	requireUpdate,
} from '../fields/check';
import { contactOfLead } from '../fields/contact';
import { columnOptions, leadFromColumns } from '../fields/mapping';
import { datesAreWritten, leadValueOptions } from '../fields/values';
import type { Parameter, Resource } from '../operation';

/** *Create or Update* takes all fields from the columns of its input. */
const COLUMNS = { identifyBy: ['columns'] };

export const leads: Resource = {
	name: 'Lead',
	description: 'A person or company that showed interest',
	defaultOperation: 'upsert',
	operations: {
		addTags: {
			name: 'Add Tags',
			action: 'Add tags to lead',
			description: 'Add tags to a lead and keep those it has',
			when: 'Use it to tag a lead whose ID is known. Give the names of the tags.',
			scope: { assumed: 'leads:write' },
			route: 'POST /leads/{leadId}/tags',
			repeatable: true,
			parameters: [leadId, tagsFromList, tagsByName, options([additionalBody])],
			output: { kind: 'one', record: lead },
			check: requireBody(
				'No tag was given',
				'Give at least one tag, by its name or from the list.',
			),
		},
		upsert: {
			name: 'Create or Update',
			action: 'Create or update lead',
			// n8n's linter requires this wording.
			description: 'Create a new record, or update the current one if it already exists (upsert)',
			when: 'The record is a lead. Use it to create a lead, or to change the one that has this external ID or the code of this tracking link.',
			scope: 'leads:write',
			route: 'POST /leads',
			repeatable: isUpsertByExternalId,
			parameters: [
				...leadIdentifiers,
				...leadFromColumns(COLUMNS),
				...[...contactOfLead, additionalFields].map(
					(field): Parameter => ({ ...field, displayOptions: { hide: COLUMNS } }),
				),
				options([
					additionalBody,
					...upsertOptions,
					...columnOptions({ '/identifyBy': ['columns'] }),
					...leadValueOptions,
				]),
			],
			output: { kind: 'one', record: upsertedLead, outcome: upsertOutcome },
			identify: identifyByAddress,
			check: requireIdentifier,
			notFound: ({ body }) =>
				isRecord(body) && body.createContactIfNotFound === false
					? {
							message: 'No existing contact matched what was sent',
							description:
								'The service searched by protocol, external ID, email and phone. Because "If No Contact Exists" is set to Refuse, no lead was created or updated. Choose "Create the Contact" to create one.',
						}
					: undefined,
		},
		get: {
			name: 'Get',
			action: 'Get lead',
			description: 'Get one lead by its ID or by your external ID',
			when: 'Use it to read all fields of a lead, including its value and sale date, which lists leave out.',
			scope: 'leads:read',
			route: 'GET /leads/{leadId}',
			parameters: [leadIdOrExternalId, options()],
			output: { kind: 'one', record: lead },
		},
		getConversions: {
			name: 'Get Conversions',
			action: 'Get lead conversions',
			description: 'Get the sales of won leads, as plain rows or for Google Ads or Meta',
			when: 'Use it for sales reports, not to find a lead. It reads all won leads.',
			scope: 'leads:read',
			route: 'GET /leads',
			parameters: [...conversionParameters, options(conversionOptions)],
			output: { kind: 'many', record: conversion, timeWindows: true },
			report: (read, context) => conversionExport(parseExportSettings(read, context)),
		},
		getAll: {
			name: 'Get Many',
			action: 'Get many leads',
			description: 'Get a list of leads, or those that match filters',
			when: 'Use it to find leads by name, email, phone, status, tag or date, or to find the ID of one. Email and Phone match whole values, Search matches parts.',
			scope: 'leads:read',
			route: 'GET /leads',
			parameters: [...listParameters, filters, options([datesAreWritten, startPage])],
			output: { kind: 'many', record: listedLead, timeWindows: true },
		},
		removeTag: {
			name: 'Remove Tag',
			action: 'Remove tag from lead',
			description: 'Remove a tag from a lead without deleting the tag',
			when: 'Use it only when told to, with the exact IDs of the lead and the tag; a name is not an ID.',
			scope: { assumed: 'leads:write' },
			route: 'DELETE /leads/{leadId}/tags/{tagId}',
			parameters: [leadId, tagId, options()],
			output: { kind: 'deleted' },
		},
		update: {
			name: 'Update',
			action: 'Update lead',
			description: 'Change fields of a lead',
			when: 'Use it when the ID of the lead is known. A field that is left empty stays as it is.',
			scope: 'leads:write',
			route: 'PUT /leads/{leadId}',
			parameters: [
				leadId,
				leadFieldsToClear,
				updateFields,
				options([additionalBody, ...leadValueOptions]),
			],
			output: { kind: 'one', record: lead },
			check: requireUpdate,
		},
		updateStatus: {
			name: 'Update Status',
			action: 'Update lead status',
			description: 'Change the status of a lead',
			when: 'Use it when the ID of the lead is known and only its status changes.',
			scope: 'leads:write',
			route: 'PATCH /leads/{leadId}/status',
			repeatable: true,
			parameters: [leadId, newStatus, options()],
			output: { kind: 'one', record: lead },
		},
	},
};
