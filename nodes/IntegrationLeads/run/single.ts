/** Items that are sent individually. */
import { defaults, isNil } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { ageOf } from '../contract/age';
import { searchTerms } from '../contract/contactMatch';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord, parseRecord } from '../contract/envelope';
import type { RecordShape, Trait } from '../contract/records';
import type { Output } from '../operation';
import { UnexpectedAnswerError } from '../transport/read';
import type { ReadList } from '../transport/paginate';
import { completeList, hasId } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import type { About } from '../transport/errors';
import type { Answer } from '../transport/send';
import { UserError } from '../userError';
import { noteDifferences } from './differences';
import { findRecord, nameRecords } from './find';
import { runList } from './list';
import { idsLast, lacksId, selectFields, toItems } from './output';
import type { Plan } from './plan';
import { runReport } from './report';
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
	const { output, action, parent } = plan.operation;
	const sent =
		parent && plan.parent
			? sendBelow(plan, plan.parent, parent.output.record, services)
			: send(plan, services);
	const records = await sent.catch((reason: unknown) => {
		throw reason instanceof UnexpectedAnswerError ? reason.during(action) : reason;
	});
	if (lacksId(output, records)) {
		services.hints.add('The service answered without an "id", which later steps may need.');
	}
	return 'record' in output && !output.record.simplified ? records.map(idsLast) : records;
}

/** Sends an item below its parent, which is found or created first. */
async function sendBelow(
	plan: Plan,
	parent: Plan,
	shape: RecordShape,
	services: RunServices,
): Promise<IDataObject[]> {
	const { singular } = shape;
	const record = await findParent(parent, shape, services);
	const target = { label: `ID of the ${singular}`, value: String(record.id) };
	const items = await send(below(plan, singular, target), services).catch((reason: unknown) => {
		// Otherwise nobody would know of the new record.
		if (record.created === true && reason instanceof NodeApiError) {
			reason.description = `${reason.description} The ${singular} "${target.value}" was created for this item; running it again finds it.`;
		}
		throw reason;
	});
	const { id, created } = record;
	const adds = { created: true, [`${singular}Id`]: id, [`${singular}Created`]: created };
	return items.map((item) => defaults({}, item, adds));
}

/** @throws UserError when the parent's record has no ID */
async function findParent(
	plan: Plan,
	shape: RecordShape,
	services: RunServices,
): Promise<IDataObject> {
	const [record] = await send(plan, services).catch((reason: unknown) => {
		// It is looked for first when the item is sent again.
		if (reason instanceof NodeApiError) reason.context.mayBeRecorded = false;
		throw reason;
	});
	if (hasId(record)) return record;
	// A service may create a record and answer without it.
	const { found } = await findRecord(plan, shape, services.client);
	const { id } = parseRecord(found?.data ?? {}, shape.singular);
	if (!isNil(id)) return { ...record, id: String(id) };
	throw new UserError(
		`The ${shape.singular} has no "id", so nothing was added to it`,
		'Use the resource "API Request" to see the answer as it is, and tell the authors of this node.',
	);
}

/** The plan with the ID of the parent's record in its paths and messages. */
function below(plan: Plan, singular: string, target: About['targets'][number]): Plan {
	const segment = encodeSegment(target.value, target.label, false);
	const withId = <T extends { path: string }>(request: T): T => ({
		...request,
		path: request.path.replace(`{${singular}Id}`, segment),
	});
	const { request, about, listing } = plan;
	return {
		...plan,
		request: withId(request),
		about: { ...about, targets: [target] },
		listing: listing && withId(listing),
	};
}

async function send(plan: Plan, services: RunServices): Promise<IDataObject[]> {
	const { operation, request, about, read } = plan;
	const { output } = operation;
	if (output.kind === 'many' || read('paginate') === true) return await readItems(plan, services);
	const reads = request.method === 'GET';
	if (plan.find && output.kind === 'one') {
		const { found, hints } = await findRecord(plan, output.record, services.client);
		if (!found && reads) {
			const { message = 'Nothing was found', description } = about.notFound ?? {};
			throw new UserError(message, [...hints, description].join(' '));
		}
		for (const hint of hints) services.hints.add(hint);
		const answer = { status: 200, data: found?.data, siblings: {} };
		if (found) return await toItems(output, answer, true, read, found.adds);
	}
	const existing = await readExisting(plan, services);
	const newValue = await noteNewValue(plan, services);
	const { answer, adds } = await services.created.send(plan);
	return await toItems(output, answer, reads, read, {
		...(plan.find && { created: isCreated(output, answer) }),
		...adds,
		...newValue,
		...outcomeOf({ ...plan, existing }, answer, services.hints),
	});
}

/** A status of a lead, not of a message. */
async function noteNewValue(
	{ operation: { output }, request: { body, query } }: Plan,
	{ newValues }: RunServices,
): Promise<IDataObject> {
	const isOfLead = 'record' in output && output.record.singular === 'lead';
	return isOfLead ? await newValues.note(body ?? query) : {};
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
	const lookup = {
		record,
		label: 'External ID',
		by: 'externalId',
		value: String(externalId),
	} as const;
	return (await locator.find({ ...lookup, optional: true })) ?? null;
}

async function readItems(plan: Plan, services: RunServices): Promise<IDataObject[]> {
	const { operation, request, about, list, read } = plan;
	const { client, hints } = services;
	const { records, completeness } = await readList(plan, services, async (query) => {
		return await client.send({ ...request, query }, about);
	});
	if (completeness === 'unclear' && !records.every(hasId)) {
		hints.add(
			'The entries of this list have no ID, so changes while it was read cannot be noticed: entries may be missing or come twice.',
		);
	} else if (completeness !== 'complete') {
		hints.add(
			'The list changed while it was read, so entries may be missing. Run it again when the account is calmer. If that never helps, the service repeats its pages.',
		);
	}
	if (records.length === 0 && !list.report) await noteNewValue(plan, services);
	if (list.report) return await runReport(records, list.report, about, services);
	return await selectFields(operation.output, records, read);
}

/** A service that knows the record already may answer with that one. */
function isCreated(output: Output, { data, sentAt }: Answer): boolean {
	const record = output.kind === 'one' && parseRecord(data, output.record.singular);
	return !record || ageOf(record, sentAt) !== 'before';
}

/** What became of the record that was sent, and how what came back differs from it. */
function outcomeOf(
	{ operation, request, existing }: Plan,
	answer: Answer,
	hints: Set<string>,
): IDataObject {
	const { output } = operation;
	if (output.kind !== 'one' || !isRecord(request.body)) return {};
	const record = parseRecord(answer.data, output.record.singular);
	return {
		...output.outcome?.(request.body, record, { ...answer, existing }),
		...noteDifferences(
			operation,
			request,
			answer.status === ACCEPTED_ONLY ? undefined : record,
			hints,
		),
	} as IDataObject;
}

async function readList(
	{ operation: { output }, request, list: { report, match }, read }: Plan,
	{ client, locator, hints }: RunServices,
	send: (query: IDataObject) => Promise<Answer>,
): Promise<ReadList> {
	const readSetting = (name: string) => (name === 'returnAll' && report ? true : read(name));
	const wanted = Object.entries(match) as Array<[Trait, string]>;
	if (output.kind !== 'many' || wanted.length === 0) {
		return await runList(output, request.query, send, readSetting);
	}
	const { record } = output;
	const values = wanted.map(([trait, value]) => `the ${trait} ${value}`).join(' and ');
	const select = async (records: ServiceRecord[]) => {
		const { matches, unclear } = await locator.select(records, record, match);
		if (unclear.length > 0) {
			hints.add(
				`Left out, because the service does not show whether they have ${values}: ${nameRecords(unclear, record, client)}.`,
			);
		}
		return matches;
	};
	const terms = request.query.search ? [request.query.search] : searchTerms(...wanted[0]);
	let list = completeList([]);
	for (const search of terms) {
		list = await runList(output, { ...request.query, search }, send, readSetting, select);
		if (list.records.length > 0) break;
	}
	const { length } = list.records;
	if (length > 1) {
		hints.add(`${length} ${record.plural} have ${values}. What follows runs for each of them.`);
	}
	return list;
}
