/** Shows what would be sent for an item, for *Options > Only Check*. */
import { compact, countBy, isNil } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { contactLabel, leadLabel } from '../contract/shown';
import type { Result } from '../operation';
import { listed } from '../output/hints';
import { isInputWithResult, type RowOutcome } from '../output/rowResult';
import type { Plan } from '../prepare/plan';
import { bodyOf, type RequestPlan } from '../prepare/request';
import type { ServiceRecord } from '../values/json';

/** Ends an item before its first write. It passes through the function of an operation as an error. */
export class PendingWrite extends Error {
	/** @param request the first write of the item */
	constructor(readonly request: RequestPlan) {
		super('Nothing was sent, because "Only Check" is on');
	}
}

/** What would become of an item. */
export type Would =
	| NonNullable<Plan['operation']['would']>
	| 'create'
	| 'update'
	| 'link'
	| 'delete'
	| 'nothing'
	| 'refuse';

/**
 * The output of an item that was only checked.
 *
 * @param write its first write; undefined if it would send none
 * @param result what came of it without a write
 * @param found the record that was looked up last
 */
export function checkedItem(
	{ operation, values }: Plan,
	write: RequestPlan | undefined,
	result: Result | undefined,
	found: ServiceRecord | undefined,
): IDataObject {
	const record = write?.attempt.found ?? result?.record ?? found;
	const would = write ? (operation.would ?? wouldOf(write)) : 'nothing';
	const { id, name } = foundAs(record);
	const words = compact([`would ${would}`, record && (name || id)]).join(': ');
	if (isInputWithResult(operation, values.options)) return { result: [words] } satisfies RowOutcome;
	const { answers } = values.extracted;
	return {
		would,
		result: words,
		...(record && { found: { id, name } }),
		...(write && { wouldSend: bodyOf(write) }),
		...(answers !== undefined && { noted: answers }),
		...result?.extra,
	};
}

/** Only the service knows which lead has a tracking code, and it shows that only when it links. */
function wouldOf({ request: { method }, step, attempt: { found } }: RequestPlan): Would {
	if (method === 'DELETE') return 'delete';
	if (method !== 'POST') return 'update';
	if (step.output.kind === 'one' && step.output.upserts)
		return found ? 'update' : found === null ? 'create' : 'link';
	return step.listStep ? 'create' : 'update';
}

function foundAs(record: ServiceRecord = {}): { id: unknown; name: string } {
	const label = isNil(record.contact) ? contactLabel(record) : leadLabel(record);
	return { id: record.id, name: label };
}

/** What would become of an item, after "would be". */
const PARTICIPLES: Record<string, string> = {
	create: 'created',
	update: 'updated',
	link: 'linked by their tracking code',
	record: 'recorded as sales',
	log: 'logged',
	delete: 'deleted',
	nothing: 'left as they are',
	refuse: 'refused',
};

/** The most columns that the hint names. */
const MAX_COLUMNS = 50;

/**
 * The hint of a run that only checks: `3 items: 2 would be created, 1 refused. Columns read: "Nome" as name. Not read: "Loja".`
 *
 * @param read the columns with their fields, in words
 * @param notRead the headings of the other columns
 */
export function checksInWords(
	output: IDataObject[],
	count: number,
	read: Set<string>,
	notRead: string[],
): string {
	const counts = countBy(output, ({ would, result }) =>
		String(would ?? /^would (\w+)/.exec(String(result))?.[1] ?? 'refuse'),
	);
	const outcomes = Object.entries(counts).map(([would, many]) => `${many} ${PARTICIPLES[would]}`);
	const outcome = outcomes.join(', ').replace(' ', ' would be ');
	const names = notRead.map((name) => `"${name}"`);
	return compact([
		`Only checked, nothing was sent. ${count} items: ${outcome}.`,
		read.size > 0 && `Columns read: ${listed([...read], MAX_COLUMNS)}.`,
		names.length > 0 && `Not read: ${listed(names, MAX_COLUMNS)}.`,
		read.size + names.length > 0 &&
			'To read a column as another field, rename it (External ID, Name, Email, …), or map the columns by hand.',
	]).join(' ');
}
