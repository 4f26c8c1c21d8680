/** Items that are sent individually. */
import type { IDataObject } from 'n8n-workflow';

import { searchTerms } from '../contract/contactMatch';
import type { ServiceRecord } from '../contract/envelope';
import { isRecord, readRecord } from '../contract/envelope';
import type { Trait } from '../contract/records';
import type { Alternative, Operation, Output } from '../operation';
import { UserError } from '../userError';
import { toPage, UnexpectedAnswerError } from '../transport/page';
import type { ReadList } from '../transport/paginate';
import { certain } from '../transport/paginate';
import type { Answer, ServiceRequest } from '../transport/send';
import { readToEnd, runList } from './list';
import { createdBefore, remember } from './once';
import { findMatch, idsLast, lacksId, selectFields, toItems } from './output';
import { findParent, sendBelow } from './parent';
import type { Plan } from './plan';
import type { RunServices } from './services';
import { requestInfo } from './plan';
import { runReport } from './report';

/**
 * Sends what was planned for one item.
 *
 * @returns the records for the output
 * @throws NodeApiError or UserError
 */
export async function runSingle(plan: Plan, services: RunServices): Promise<IDataObject[]> {
	const { output, action } = plan.operation;
	const records = await sendOnce(plan, services).catch((reason: unknown) => {
		throw reason instanceof UnexpectedAnswerError ? reason.during(action) : reason;
	});
	if (lacksId(output, records)) {
		services.hints.add('The service answered without an "id", which later steps may need.');
	}
	return 'record' in output && !output.record.simplified ? records.map(idsLast) : records;
}

/** Sends an item, below its parent if it has one, unless an earlier item of the execution was the same. */
async function sendOnce(plan: Plan, services: RunServices): Promise<IDataObject[]> {
	const before = createdBefore(plan, services);
	if (before) return [before];
	const { parent } = plan.operation;
	const sendPlan = async (each: Plan) => await send(each, services);
	const record = parent && plan.parent && (await findParent(parent, plan.parent, sendPlan));
	return await remember(plan, services, async () =>
		parent && record ? await sendBelow(parent, record, plan, sendPlan) : await sendPlan(plan),
	);
}

async function send(plan: Plan, services: RunServices): Promise<IDataObject[]> {
	const { operation, request, alternatives, report, read } = plan;
	const { client, created, hints } = services;
	const { output } = operation;
	if (alternatives) return await sendAlternatives(plan, alternatives, services);
	const about = requestInfo(plan);
	if (output.kind !== 'many' && read('paginate') !== true) {
		const { answer, adds } = await created.send(plan, request, about);
		const outcome = outcomeOf(operation, request.body, answer);
		return await toItems(output, answer, request.method === 'GET', read, { ...adds, ...outcome });
	}
	const { records, uncertain, unchecked } = await readList(plan, services, async (query) => {
		return await client.send({ ...request, query }, about);
	});
	if (uncertain) {
		hints.add(
			'The list changed while it was read, so entries may be missing. Run it again when the account is calmer.',
		);
	}
	if (unchecked) {
		hints.add(
			'The entries of this list have no ID, so changes while it was read cannot be noticed: entries may be missing or come twice.',
		);
	}
	if (report) return await runReport(records, report, about, services);
	return await selectFields(output, records, read);
}

/** See {@link Operation.outcome}. */
function outcomeOf({ output, outcome }: Operation, sent: unknown, answer: Answer): IDataObject {
	if (output.kind !== 'one' || !outcome || !isRecord(sent)) return {};
	return outcome(sent, readRecord(answer.data, output.record.singular), answer) as IDataObject;
}

async function readList(
	{ operation: { output }, request, report, match, read }: Plan,
	{ locator, hints }: RunServices,
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
				`Left out, because the service does not show whether they have ${values}: ${locator.name(unclear, record)}.`,
			);
		}
		return matches;
	};
	const terms = request.query.search ? [request.query.search] : searchTerms(...wanted[0]);
	let list = certain([]);
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

/** Sends one request after another until one returns a record. */
async function sendAlternatives(
	plan: Plan,
	alternatives: Alternative[],
	{ created, hints }: RunServices,
): Promise<IDataObject[]> {
	const { output } = plan.operation;
	const about = requestInfo(plan);
	const mismatches = new Set<string>();
	for (const [position, alternative] of alternatives.entries()) {
		const { request, scope = about.scope, isMatch, pick, mismatchHint, adds } = alternative;
		const reads = request.method === 'GET';
		const mayBeMissing = reads && (position < alternatives.length - 1 || mismatches.size > 0);
		const send = async (more: Partial<ServiceRequest>) =>
			(await created.send(plan, { ...request, ...more }, { ...about, scope })).answer;
		let answer: Answer | undefined;
		if (pick) answer = await pickFrom(pick, output, send);
		else {
			const sent = await send({ mayBeMissing });
			answer = sent;
			if (reads) {
				const { found, count, mismatched } = findMatch(sent, output, isMatch);
				if (mismatched && mismatchHint) mismatches.add(mismatchHint);
				if (count > 1) hints.add(`${count} records matched, and the first was taken.`);
				answer = found;
			}
		}
		if (answer) {
			for (const hint of mismatches) hints.add(hint);
			return await toItems(output, answer, reads, plan.read, adds);
		}
	}
	const { message = 'Nothing was found', description } = about.notFound ?? {};
	throw new UserError(message, [...mismatches, description].join(' '));
}

/** Reads a list to its end and takes a record from it: what a part of it shows may be wrong of the whole. */
async function pickFrom(
	pick: NonNullable<Alternative['pick']>,
	output: Output,
	send: (more: Partial<ServiceRequest>) => Promise<Answer>,
): Promise<Answer | undefined> {
	const plural = output.kind === 'one' ? output.record.plural : '';
	const { records, complete } = await readToEnd(async (query) =>
		toPage(plural, await send({ query })),
	);
	if (!complete) {
		throw new UserError(
			`The list of ${plural} could not be read completely, so nothing was sent`,
			'Run this item again when the account is calmer.',
		);
	}
	const data = pick(records);
	return data && { status: 200, data, siblings: {} };
}
