import type { z } from 'zod';
import { missing } from './failure.mts';
import { parse } from './inputs.mts';
import type { Lead, Stored } from './records.mts';
import type { Store } from './store.mts';
import type { Collection, Page, Selected } from './collection.mts';
import type { Variant } from './variant.mts';

/** One request, as an operation sees it: query and body fit openapi.yaml. */
export interface Call {
	params: Readonly<Record<string, string>>;
	query: unknown;
	/** The parsed JSON body; `{}` without one. */
	body: unknown;
	store: Store;
	variant: Variant;
}

/** A record as answers show it. */
export type Shown = Readonly<Record<string, unknown>>;

/** The pagination object (spec part 2). */
export interface Pagination {
	page: number;
	limit: number;
	total: number;
	totalPages: number;
}

/** What an operation found or did; how it is put into a body is the variant's business. */
export type Result =
	/** `name` is the record's name in a body; `siblings` may accompany it. */
	| { kind: 'record'; name: string; record: Shown; created?: boolean; siblings?: Shown }
	| { kind: 'list'; name: string; items: readonly Shown[]; pagination?: Pagination }
	| { kind: 'deleted' };

/** Carries out a request. Throws a Failure. */
export type Operation = (call: Call) => Result;

/** The body of a request in the form its schema describes. */
export function bodyOf<S extends z.ZodTypeAny>(call: Call, schema: S): z.output<S> {
	return parse(schema, call.body);
}

/** The lead whose id is in the path. */
export const leadInPath = ({ params, store }: Call): Lead =>
	found(store.leads, params.leadId, 'Lead');

/** The record with this id. */
export function found<T extends Stored>(records: Collection<T>, id: string, what: string): T {
	const record = records.get(id);
	if (!record) throw missing(`${what} ${id}`);
	return record;
}

/** Answers with the page of a list that the query asks for. */
export function listed<T>(
	call: Call,
	name: string,
	show: (record: T) => Shown,
	records: { select(page: Page, match?: (record: T) => boolean): Selected<T> },
	match?: (record: T) => boolean,
): Result {
	const { maxPage, ignorePage, order } = call.variant;
	const asked = call.query as { page: number; limit: number };
	const page = ignorePage ? 1 : asked.page;
	const limit = Math.min(asked.limit, maxPage);
	const { items, total } = records.select(
		{ order, offset: (page - 1) * limit, count: limit },
		match,
	);
	const totalPages = Math.ceil(total / limit);
	const pagination = { page, limit, total, totalPages };
	return { kind: 'list', name, items: items.map(show), pagination };
}
