/** Items that are sent individually. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord, readRecord } from '../contract/envelope';
import type { Alternative, Operation } from '../operation';
import { UserError } from '../userError';
import { UnexpectedAnswerError } from '../transport/page';
import type { Answer } from '../transport/send';
import { runList } from './list';
import { findMatch, lacksId, selectFields, toItems } from './output';
import type { Plan, RunServices } from './plan';
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
	const records = await send(plan, services).catch((reason: unknown) => {
		throw reason instanceof UnexpectedAnswerError ? reason.during(action) : reason;
	});
	if (lacksId(output, records)) {
		services.hints.add('The service answered without an "id", which later steps may need.');
	}
	return records;
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
		return toItems(output, answer, request.method === 'GET', read, { ...adds, ...outcome });
	}
	const { records, uncertain, unchecked } = await runList(
		output,
		request.query,
		async (query) => await client.send({ ...request, query }, about),
		(name) => (name === 'returnAll' && report ? true : read(name)),
	);
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
	return selectFields(output, records, read);
}

/** See {@link Operation.outcome}. */
function outcomeOf({ output, outcome }: Operation, sent: unknown, answer: Answer): IDataObject {
	if (output.kind !== 'one' || !outcome || !isRecord(sent)) return {};
	return outcome(sent, readRecord(answer.data, output.record.singular), answer) as IDataObject;
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
		const { request, scope = about.scope, isMatch, mismatchHint, adds } = alternative;
		const reads = request.method === 'GET';
		const mayBeMissing = reads && (position < alternatives.length - 1 || mismatches.size > 0);
		const sent = await created.send(plan, { ...request, mayBeMissing }, { ...about, scope });
		let answer: Answer | undefined = sent.answer;
		if (reads) {
			const { found, count, mismatched } = findMatch(answer, output, isMatch);
			if (mismatched && mismatchHint) mismatches.add(mismatchHint);
			if (count > 1) hints.add(`${count} records matched, and the first was taken.`);
			answer = found;
		}
		if (answer) {
			for (const hint of mismatches) hints.add(hint);
			return toItems(output, answer, reads, plan.read, adds);
		}
	}
	const { message = 'Nothing was found', description = '' } = about.notFound ?? {};
	throw new UserError(message, [...mismatches, description].join(' '));
}
