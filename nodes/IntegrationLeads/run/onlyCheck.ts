/** Shows what would be sent for an item, for *Options > Only Check*. */
import { compact, countBy, findKey, isNil, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { leadIdsOf } from '../contract/leadKey';
import { contactLabel, leadLabel } from '../contract/shown';
import type { Result, SendOptions } from '../operation';
import { listed, nameRows } from '../output/hints';
import { NEVER_REPLACED } from '../output/sameLead';
import { isInputWithResult, reasonIn, type RowOutcome } from '../output/output';
import {
	bodyOf,
	recordKeysOf,
	type Plan,
	type PlannedItem,
	type RequestPlan,
} from '../prepare/plan';
import { isBlank } from '../values/convert';
import { entriesOf, type ServiceRecord } from '../values/json';

/** What would become of an item. */
export type Would =
	| NonNullable<Plan['operation']['would']>
	| NonNullable<SendOptions['would']>
	| 'create'
	| 'link'
	| 'send'
	| 'nothing'
	| 'refuse';

/** How it is said of an item, after "would", and of several, after "would be". */
const WORDS: Record<Would, { infinitive: string; participle: string }> = {
	create: { infinitive: 'create', participle: 'created' },
	update: { infinitive: 'update', participle: 'updated' },
	link: { infinitive: 'link', participle: 'linked by tracking code' },
	record: { infinitive: 'record', participle: 'recorded' },
	takeBack: { infinitive: 'mark as taken back', participle: 'marked as taken back' },
	note: { infinitive: 'add a note', participle: 'given a note' },
	log: { infinitive: 'log', participle: 'logged' },
	merge: { infinitive: 'merge', participle: 'merged' },
	delete: { infinitive: 'delete', participle: 'deleted' },
	send: { infinitive: 'send', participle: 'sent' },
	nothing: { infinitive: 'change nothing', participle: 'left unchanged' },
	refuse: { infinitive: 'refuse', participle: 'refused' },
};

/** Ends an item before its first write. It passes through the function of an operation as an error. */
export class PendingWrite extends Error {
	/**
	 * @param requestPlan the first write of the item
	 * @param check what the item does, if that is not what its operation usually does, and what follows this write
	 */
	constructor(
		readonly requestPlan: RequestPlan,
		readonly check: Pick<SendOptions, 'would' | 'differences' | 'followedBy'>,
	) {
		super('Nothing was sent, because "Only Check" is on');
	}
}

/** What the items of a run would write, so that a later one of the same record is checked against it. */
export class PendingRecords {
	/** What items would write into existing records, by the kind and the ID of these. */
	private readonly changes = new Map<string, ServiceRecord>();

	/** The item that would create the record with a key, by the key. */
	private readonly creatorOf = new Map<string, number>();

	/**
	 * Notes that an item creates its record, unless an earlier item would have created it.
	 *
	 * @returns the index of that item
	 */
	add({ itemIndex, plan }: PlannedItem): number | undefined {
		const keys = recordKeysOf(plan);
		const { externalId } = plan.values.body;
		// A lead with an ID of its own is found by nothing else.
		const finding = isBlank(externalId) ? keys : [String(externalId)];
		const creator = finding.map((key) => this.creatorOf.get(key)).find((item) => !isNil(item));
		for (const key of keys) {
			if (!this.creatorOf.has(key)) this.creatorOf.set(key, creator ?? itemIndex);
		}
		return creator;
	}

	/** Notes what an item would write into a record. */
	change(kind: string, { id }: ServiceRecord, body: ServiceRecord): void {
		const key = `${kind} ${String(id)}`;
		this.changes.set(key, { ...this.changes.get(key), ...omit(body, NEVER_REPLACED) });
	}

	/** The record as the items before would have left it. */
	changed(kind: string, record: ServiceRecord): ServiceRecord {
		return { ...record, ...this.changes.get(`${kind} ${String(record.id)}`) };
	}
}

/**
 * The output of an item that was only checked.
 *
 * @param write its first write; undefined if it would send none
 * @param result what came of it without a write
 * @param found the record that was looked up last
 */
export function checkedItem(
	item: PlannedItem,
	{ pending, rows }: { pending: PendingRecords; rows: IDataObject[] },
	{ write, result, found }: { write?: PendingWrite; result?: Result; found?: ServiceRecord },
): IDataObject {
	const { operation, values } = item.plan;
	const requestPlan = write?.requestPlan;
	const record = requestPlan?.prior.existing ?? result?.record ?? found;
	const first = requestPlan
		? (write.check.would ?? operation.would ?? wouldOf(requestPlan))
		: 'nothing';
	const isNew = first === 'create' && requestPlan?.prior.existing === null;
	const creator = isNew ? pending.add(item) : undefined;
	const would = creator === undefined ? first : 'update';
	const { output } = requestPlan?.step ?? operation;
	if (requestPlan && record && 'record' in output)
		pending.change(output.record.singular, record, bodyOf(requestPlan));
	const { id, name } = foundAs(record);
	const { extra = { differences: write?.check.differences as string | undefined } } = result ?? {};
	const words = compact([
		`would ${WORDS[would].infinitive}`,
		creator !== undefined && `what ${nameRows([creator], rows)} would create`,
		extra.alreadyRecorded && 'already recorded',
		reasonIn(extra) ?? (record && (name || id)),
	]).join(': ');
	if (isInputWithResult(operation, values.options)) {
		const lead = isNew ? [`new ${creator ?? item.itemIndex}`] : leadIdsOf(record ?? {});
		return { result: compact([words, extra.differences]).map(String), lead } satisfies RowOutcome;
	}
	const { answers } = values.extracted;
	return {
		would,
		result: words,
		...(record && { found: { id, name } }),
		...(requestPlan && { wouldSend: { ...bodyOf(requestPlan), ...write.check.followedBy } }),
		...(answers !== undefined && { noted: answers }),
		...omit(extra, 'result'),
	};
}

/** Only the service knows which lead has a tracking code, and it shows that only when it links. */
function wouldOf(plan: RequestPlan): Would {
	const {
		request: { method },
		step: { output, listStep },
		prior: { existing },
	} = plan;
	if (method === 'DELETE') return 'delete';
	if (method !== 'POST') return 'update';
	if (output.kind === 'one' && output.upserts) {
		if (existing) return 'update';
		if (existing === null) return 'create';
		return isBlank(bodyOf(plan).protocol) ? 'send' : 'link';
	}
	// The path of an API request is the user's.
	if (output.kind === 'raw') return 'send';
	return listStep ? 'create' : 'update';
}

function foundAs(record: ServiceRecord = {}): { id: unknown; name: string } {
	return { id: record.id, name: contactLabel(record) || leadLabel(record) };
}

/** The most columns that the hint names. */
const MAX_COLUMNS = 50;

/**
 * The hint of a run that only checks: `3 items: 2 would be created, 1 refused. Columns read: "Nome" as Name. Not read: "Loja".`
 *
 * @param columns those that were read with their fields, in words, and the headings of those for the note and of the others
 */
export function checksInWords(
	output: IDataObject[],
	count: number,
	columns: { read: string[]; noted: string[]; notSent: string[] },
): string {
	const counts = countBy(output, ({ would, result }) => would ?? wouldIn(String(result)));
	const outcomes = entriesOf(counts).map(
		([would, many]) => `${many} ${WORDS[would as Would].participle}`,
	);
	const outcome = outcomes.join(', ').replace(' ', ' would be ');
	const { read } = columns;
	const [noted, notSent] = [columns.noted, columns.notSent].map((names) =>
		names.map((name) => `"${name}"`),
	);
	return compact([
		`Only checked, nothing was sent. ${count} item${count === 1 ? '' : 's'}: ${outcome}.`,
		read.length > 0 && `Columns read: ${listed(read, MAX_COLUMNS)}.`,
		noted.length > 0 && `Left for the note: ${listed(noted, MAX_COLUMNS)}.`,
		notSent.length > 0 && `Not read: ${listed(notSent, MAX_COLUMNS)}.`,
		read.length + noted.length + notSent.length > 0 &&
			'To read a column as another field, rename it (External ID, Name, Email, …), or map the columns by hand.',
	]).join(' ');
}

/** What would become of a row, which says it in words. */
const wouldIn = (result: string) =>
	findKey(WORDS, ({ infinitive }) => result.startsWith(`would ${infinitive}`)) ?? 'refuse';
