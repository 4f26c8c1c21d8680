/** One item that is sent by itself. */
import type { IDataObject } from 'n8n-workflow';

import type { Step } from '../operation';
import { Problem } from '../problem';
import { DriftProblem } from '../transport/page';
import { runList } from './list';
import { lacksId, readMatches, toItems } from './output';
import type { Plan, Workplace } from './plan';
import { aboutOf } from './plan';
import { refine } from './refine';

/**
 * Sends what was planned for one item.
 *
 * @returns the records for the output
 * @throws NodeApiError or NodeOperationError in words for the user
 */
export async function runSingle(plan: Plan, workplace: Workplace): Promise<IDataObject[]> {
	const { output, action } = plan.operation;
	const records = await send(plan, workplace).catch((reason: unknown) => {
		throw reason instanceof DriftProblem ? reason.during(action) : reason;
	});
	if (lacksId(output, records)) {
		workplace.notes.add('The service answered without an "id", which steps that follow may need.');
	}
	return records;
}

async function send(plan: Plan, workplace: Workplace): Promise<IDataObject[]> {
	const { operation, planned, read } = plan;
	const { client, notes } = workplace;
	const { request, steps, refinement } = planned;
	const { output } = operation;
	if (steps) return await firstFound(plan, steps, workplace);
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
			? await refine(list.records, refinement, about, workplace)
			: (list.records as IDataObject[]);
	}
	return toItems(output, await client.send(request, about), request.method === 'GET', read);
}

/** Sends one request after another until one brings a record. */
async function firstFound(
	plan: Plan,
	steps: Step[],
	{ client, notes }: Workplace,
): Promise<IDataObject[]> {
	const { output, scope: usual } = plan.operation;
	const about = aboutOf(plan);
	for (const [position, { request, scope = usual, adds }] of steps.entries()) {
		const reads = request.method === 'GET';
		const mayBeMissing = reads && position < steps.length - 1;
		const answer = await client.send({ ...request, mayBeMissing }, { ...about, scope });
		const { matches, found } = reads ? readMatches(answer, output) : { matches: 1, found: answer };
		if (matches > 1) notes.add(`${matches} records matched, and the first was taken.`);
		if (found) {
			// What the record says of itself comes first, and counts.
			return toItems(output, found, reads, plan.read).map((each) => ({
				...each,
				...adds,
				...each,
			}));
		}
	}
	const { message = 'Nothing was found', description } = about.notFound ?? {};
	throw new Problem(message, description);
}
