/** One item that is sent by itself. */
import type { IDataObject } from 'n8n-workflow';

import type { Output, Step } from '../operation';
import { UserError } from '../userError';
import { UnexpectedAnswerError } from '../transport/page';
import type { Answer } from '../transport/send';
import type { Notes } from './hints';
import { runList } from './list';
import { chooseMatch, lacksId, readMatches, toItems } from './output';
import type { Plan, RunServices } from './plan';
import { aboutOf } from './plan';
import { refine } from './refine';

/**
 * Sends what was planned for one item.
 *
 * @returns the records for the output
 * @throws NodeApiError or NodeOperationError in words for the user
 */
export async function runSingle(plan: Plan, services: RunServices): Promise<IDataObject[]> {
	const { output, action } = plan.operation;
	const records = await send(plan, services).catch((reason: unknown) => {
		throw reason instanceof UnexpectedAnswerError ? reason.during(action) : reason;
	});
	if (lacksId(output, records)) {
		services.notes.add('The service answered without an "id", which steps that follow may need.');
	}
	return records;
}

async function send(plan: Plan, services: RunServices): Promise<IDataObject[]> {
	const { operation, planned, read } = plan;
	const { client, notes } = services;
	const { request, steps, refinement } = planned;
	const { output } = operation;
	if (steps) return await firstFound(plan, steps, services);
	const about = aboutOf(plan);
	if (output.kind === 'many' || read('paginate') === true) {
		const list = await runList(
			output,
			request.query,
			async (query) => await client.send({ ...request, query }, about),
			(name) => (name === 'returnAll' && refinement ? true : read(name)),
		);
		if (list.uncertain) {
			notes.add(
				'The list changed while it was read, so entries may be missing. Run it again when the account is calmer.',
			);
		}
		if (list.unchecked) {
			notes.add(
				'The entries of this list have no ID. Had it changed while it was read, nobody could tell: entries may be missing or come twice.',
			);
		}
		return refinement
			? await refine(list.records, refinement, about, services)
			: (list.records as IDataObject[]);
	}
	return toItems(output, await client.send(request, about), request.method === 'GET', read);
}

/** Sends one request after another until one brings a record. */
async function firstFound(
	plan: Plan,
	steps: Step[],
	{ client, notes }: RunServices,
): Promise<IDataObject[]> {
	const { output, scope: usual } = plan.operation;
	const about = aboutOf(plan);
	/** Why what came was not taken. */
	const passedBy: string[] = [];
	for (const [position, step] of steps.entries()) {
		const { request, scope = usual } = step;
		const reads = request.method === 'GET';
		const mayBeMissing = reads && (position < steps.length - 1 || passedBy.length > 0);
		const answer = await client.send({ ...request, mayBeMissing }, { ...about, scope });
		const found = reads ? findMatch(answer, step, output, { notes, passedBy }) : answer;
		if (found) {
			for (const note of passedBy) notes.add(note);
			// What the record says of itself comes first, and counts.
			return toItems(output, found, reads, plan.read).map((each) => ({
				...each,
				...step.adds,
				...each,
			}));
		}
	}
	const { message = 'Nothing was found', description = '' } = about.notFound ?? {};
	throw new UserError(message, [...new Set(passedBy), description].join(' '));
}

/** Takes the one record that was looked for. */
function findMatch(
	answer: Answer,
	{ isMatch, note }: Step,
	output: Output,
	{ notes, passedBy }: { notes: Notes; passedBy: string[] },
): Answer | undefined {
	const matches = readMatches(answer, output);
	const { found, alike } = chooseMatch(matches, isMatch);
	if (matches.length > 0 && !found && note) passedBy.push(note);
	if (alike > 1) notes.add(`${alike} records matched, and the first was taken.`);
	return found;
}
