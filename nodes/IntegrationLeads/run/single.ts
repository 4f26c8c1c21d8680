/** Items that are sent individually. */
import { defaults, isNil } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { ageOf } from '../contract/age';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord, parseRecord } from '../contract/envelope';
import type { Parent } from '../operation';
import { UnexpectedAnswerError } from '../transport/read';
import { hasId } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import type { Answer } from '../transport/send';
import { UserError } from '../userError';
import { noteDifferences } from './compare';
import { findRecord } from './find';
import { listItems } from './listItems';
import { idsLast, toItems } from './output';
import type { Plan } from './plan';
import type { RunServices } from './services';

/** Nothing is written yet, so the answer may show the record as it was. */
const ACCEPTED_ONLY = 202;

/**
 * Sends what was planned for one item.
 *
 * @returns the records for the output
 * @throws NodeApiError or UserError
 */
export async function runSingle(plan: Plan, services: RunServices): Promise<IDataObject[]> {
	const { output, action } = plan.operation;
	const sent = plan.parent ? sendBelow(plan, plan.parent, services) : send(plan, services);
	const records = await sent.catch((reason: unknown) => {
		throw reason instanceof UnexpectedAnswerError ? reason.during(action) : reason;
	});
	return 'record' in output && !output.record.simplified ? records.map(idsLast) : records;
}

type ParentPlan = Plan & { operation: Parent };

/** Sends an item below its parent, which is found or created first. */
async function sendBelow(
	plan: Plan,
	parent: ParentPlan,
	services: RunServices,
): Promise<IDataObject[]> {
	const { singular } = parent.operation.output.record;
	const { id, created } = await sendParent(parent, services);
	const items = await send(withParent(plan, singular, String(id)), services).catch(
		(reason: unknown) => {
			// Otherwise nobody would know of the new record.
			if (created === true && reason instanceof NodeApiError) {
				reason.description = `${reason.description} The ${singular} "${String(id)}" was created for this item; running it again finds it.`;
			}
			throw reason;
		},
	);
	const adds = { created: true, [`${singular}Id`]: id, [`${singular}Created`]: created };
	return items.map((item) => defaults({}, item, adds));
}

/** @throws UserError when the parent's record has no ID */
async function sendParent(parent: ParentPlan, services: RunServices): Promise<IDataObject> {
	const { record: shape } = parent.operation.output;
	const [record] = await send(parent, services).catch((reason: unknown) => {
		// It is looked for first when the item is sent again.
		if (reason instanceof NodeApiError) reason.context.mayBeRecorded = false;
		throw reason;
	});
	if (hasId(record)) return record;
	// A service may create a record and answer without it.
	const { found } = await findRecord(parent, shape, services.client);
	const { id } = parseRecord(found?.data ?? {}, shape.singular);
	if (!isNil(id)) return { ...record, id: String(id) };
	throw new UserError(
		`The ${shape.singular} has no "id", so nothing was added to it`,
		'Use the resource "API Request" to see the answer as it is, and tell the authors of this node.',
	);
}

/** The plan with the ID of the parent's record in its paths and messages. */
function withParent(plan: Plan, singular: string, id: string): Plan {
	const label = `ID of the ${singular}`;
	const segment = encodeSegment(id, label, false);
	const withId = <T extends { path: string }>(request: T): T => ({
		...request,
		path: request.path.replace(`{${singular}Id}`, segment),
	});
	const { request, about, listing } = plan;
	return {
		...plan,
		request: withId(request),
		about: { ...about, targets: [{ label, value: id }] },
		listing: listing && withId(listing),
	};
}

async function send(plan: Plan, services: RunServices): Promise<IDataObject[]> {
	const { operation, request, read } = plan;
	const { output } = operation;
	if (output.kind === 'many' || read('paginate') === true) return await listItems(plan, services);
	const found = await findFirst(plan, services);
	if (found) return found;
	const existing = await readExisting(plan, services);
	const newValue = await services.values.noteNew(output, request.body ?? request.query);
	const { answer, adds } = await services.created.send(plan);
	const record = recordIn(plan, answer);
	const age = record && ageOf(record, answer.sentAt);
	const items = await toItems(output, answer, request.method === 'GET', read, {
		// A service that knows the record already may answer with that one.
		...(plan.find && { created: age !== 'before' }),
		...adds,
		...newValue,
		...outcomeOf({ ...plan, existing }, answer, services.hints),
	});
	const mayCreate = output.kind === 'one' && (output.outcome || plan.find);
	const [key] = plan.recordKeys;
	// An item before this one may have created the record.
	if (!mayCreate || services.written.has(key)) return items;
	services.written.add(key);
	// The answer was lost that created the record, so the service says that it was there before.
	const isNew = answer.isRepeated && age === 'since';
	return isNew ? items.map((item) => ({ ...item, created: true })) : items;
}

/**
 * What is found where the operation looks first.
 *
 * @throws UserError when an operation that only reads finds nothing
 */
async function findFirst(
	plan: Plan,
	{ client, hints: shown }: RunServices,
): Promise<IDataObject[] | undefined> {
	const { operation, request, about, read } = plan;
	const { output } = operation;
	if (!plan.find || output.kind !== 'one') return undefined;
	const { found, hints } = await findRecord(plan, output.record, client);
	if (!found && request.method === 'GET') {
		const { message = 'Nothing was found', description } = about.notFound ?? {};
		throw new UserError(message, [...hints, description].join(' '));
	}
	for (const hint of hints) shown.add(hint);
	const answer = { status: 200, data: found?.data, siblings: {} };
	return found && (await toItems(output, answer, true, read, found.adds));
}

/** With Look First, the record with the external ID as it is before anything is written. See {@link Plan.existing}. */
async function readExisting(
	{ operation: { output }, request: { body }, existing, read }: Plan,
	{ locator }: RunServices,
): Promise<Plan['existing']> {
	const { lookFirst } = (read('options') ?? {}) as IDataObject;
	const { externalId } = isRecord(body) ? body : {};
	if (existing || lookFirst !== true || isNil(externalId) || output.kind !== 'one') return existing;
	const { record } = output;
	const lookup = { record, label: 'External ID', value: String(externalId), optional: true };
	return (await locator.find({ ...lookup, by: 'externalId' })) ?? null;
}

/** What became of the record that was sent, and how what came back differs from it. */
function outcomeOf(plan: Plan, answer: Answer, hints: Set<string>): IDataObject {
	const { operation, request, existing } = plan;
	const { output } = operation;
	if (output.kind !== 'one' || !isRecord(request.body)) return {};
	const record = recordIn(plan, answer);
	const written = answer.status === ACCEPTED_ONLY ? undefined : record;
	return {
		...output.outcome?.(request.body, record, { ...answer, existing }),
		...noteDifferences(operation, request, written, hints),
	} as IDataObject;
}

function recordIn({ operation: { output } }: Plan, { data }: Answer): ServiceRecord | undefined {
	return output.kind === 'one' ? parseRecord(data, output.record.singular) : undefined;
}
