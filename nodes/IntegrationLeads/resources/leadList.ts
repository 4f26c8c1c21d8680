/** Carries out *Lead > Get Many*: reads the list and, if that is wanted, each lead and its contact. */
import { pick, some, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { documentedIn, isListed, translatedFrom } from '../columns/documented';
import { listParameters } from '../fields/common';
import { filters } from '../fields/leadFields';
import { flag, options, type WithOptions } from '../fields/options';
import type { ComposeContext, Result, StepFunctions } from '../operation';
import { compose, readChosen } from '../operation';
import { InputError } from '../userError';
import { isBlank } from '../values/convert';
import type { ServiceRecord } from '../values/json';
import { getContact } from './contactRequests';
import { idOf, contactOf, refundTagsOf } from '../conversion/sale';
import { documentedValues } from '../contract/records';
import { lacksOfPerson, mergeContacts, NO_PHONES } from './mergeContacts';
import { getLead, getLeads } from './leadRequests';

const listOptions = [
	flag('Include Full Lead', 'includeFullLead', false, {
		description:
			'Whether to read each lead and its contact individually, which adds what lists lack: the phone, estimated value, sale date and source. It takes up to two more requests for each lead.',
	}),
];

type ListValues = WithOptions<typeof listOptions>;

const listSteps = { request: getLeads, getLead, getContact };

const LISTS_LACK =
	'Lists show no phone, source, value or sale date: a sum of values would be 0. To read them, switch on Options > Include Full Lead, which takes up to two more requests for each lead.';

async function readLeadList(
	values: ListValues,
	{ request, ...steps }: StepFunctions<typeof listSteps>,
	context: ComposeContext,
): Promise<Result> {
	const result = await readChosen(values, request);
	const leads = result.data as ServiceRecord[];
	if (leads.length === 0) for (const text of unknownValues(values.query)) context.hints.add(text);
	if (values.options.includeFullLead) {
		await context.inParallel([...leads.entries()], async ([index, listed]) => {
			leads[index] = await readFullLead(listed, steps, context);
		});
		noteRefunds(leads, context);
		return result;
	}
	// Who looks for a person needs none of these.
	const isSearch = some(values.filter) || some([values.query.search]);
	const lacks = ({ estimatedValue, saleDate }: ServiceRecord) =>
		estimatedValue === undefined && saleDate === undefined;
	if (!isSearch && leads.length > 0 && leads.every(lacks)) context.hints.add(LISTS_LACK);
	return result;
}

/** The filters whose values are words of the account. Of the others, such as a date or a search, none is misspelt. */
const NAME_FILTERS = ['status', 'priority', 'source', 'tag'];

/** Names the values of the filters that may be why there is no lead: those that are not documented, in sentences. */
const unknownValues = (query: IDataObject): string[] =>
	Object.entries(pick(query, NAME_FILTERS)).flatMap(([field, value]) => {
		const text = String(value);
		const because = `No lead was found, perhaps because of the ${field} "${text}"`;
		if (!isListed(field)) return `${because}: compare its spelling with a lead that has it.`;
		if (documentedValues[field].some((known) => known === text)) return [];
		const meant = translatedFrom(field, text);
		return `${because}: ${meant ? `use ${meant}` : `documented are ${documentedIn(field)}`}.`;
	});

/** @throws InputError naming the field */
function checkBounds({ query: { createdAfter, createdBefore } }: Pick<ListValues, 'query'>): void {
	const [start, end] = [createdAfter, createdBefore].map((time) => Date.parse(String(time)));
	// NaN without a bound, or if one is invalid, which is reported separately.
	if (!(start >= end)) return;
	throw new InputError(
		'"Created Before" must be later than "Created After"',
		'Otherwise no lead can match: for all of January give 2026-01-01 as Created After and 2026-02-01 as Created Before.',
	);
}

/** Names what a sum of values would count although it was given back. */
function noteRefunds(leads: ServiceRecord[], { hints }: ComposeContext): void {
	const refunds = leads.filter(({ estimatedValue }) => !isBlank(estimatedValue)).map(refundTagsOf);
	const tags = uniq(refunds.flat()).map((tag) => `"${tag}"`);
	const count = refunds.filter((found) => found.length > 0).length;
	if (count === 0) return;
	hints.add(
		`${count} of these leads ${count === 1 ? 'has' : 'have'} the tag ${tags.join(' or ')}, so a sum of values is more than was earned. To leave them out, put a Filter before the sum: tags, Array, does not contain.`,
	);
}

/** Reads a lead of a list with its contact. One that was deleted meanwhile stays as it was listed. */
async function readFullLead(
	listed: ServiceRecord,
	steps: StepFunctions<Pick<typeof listSteps, 'getLead' | 'getContact'>>,
	{ ifPermitted }: ComposeContext,
): Promise<ServiceRecord> {
	const leadId = idOf(listed);
	if (leadId === undefined) return listed;
	const { record: found } = await steps.getLead({ path: { leadId } }, { mayBeMissing: true });
	const contact = mergeContacts(contactOf(listed), contactOf(found ?? {}));
	const contactId = idOf(contact);
	const whole =
		contactId !== undefined && lacksOfPerson(contact)
			? await ifPermitted(
					NO_PHONES,
					async () => await steps.getContact({ path: { contactId } }, { mayBeMissing: true }),
				)
			: undefined;
	return { ...listed, ...found, contact: mergeContacts(contact, whole?.record ?? {}) };
}

export const listLeads = compose({
	...getLeads,
	otherScopes: { 'read phones': ['contacts:read'] },
	parameters: [...listParameters, filters, options(listOptions)],
	check: checkBounds,
	steps: listSteps,
	run: readLeadList,
});
