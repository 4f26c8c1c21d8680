import lodash from 'lodash';
import { Failure } from './failure.mts';
import type { Pagination, Result, Shown } from './operation.mts';
import type { Variant } from './variant.mts';

/** An answer ready to be sent; without `text` it has no body. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	text?: string;
}

/** An answer with a JSON body. */
export function jsonAnswer(status: number, body: unknown, headers = {}): Answer {
	const contentType = { 'Content-Type': 'application/json; charset=utf-8' };
	return { status, headers: { ...contentType, ...headers }, text: JSON.stringify(body) };
}

/** The answer to a request that failed (spec part 7). */
export function presentFailure(failure: Failure): Answer {
	const { retryAfter } = failure;
	const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
	return jsonAnswer(failure.status, failure.body, headers);
}

/** The answer to a request that succeeded, in the way of the variant. */
export function presentResult(result: Result, variant: Variant, isWrite: boolean): Answer {
	const status = isWrite ? writeStatus(result, variant) : 200;
	if (status === 204) return { status, headers: {} };
	const data = dataOf(result, variant);
	if (variant.envelope === 'bare') return jsonAnswer(status, data);
	return jsonAnswer(status, { success: true, data, ...siblingsOf(result, variant) });
}

function writeStatus(result: Result, { status }: Variant): number {
	if (status !== 'default') return status;
	return result.kind === 'record' && result.created ? 201 : 200;
}

function dataOf(result: Result, variant: Variant): unknown {
	if (result.kind === 'deleted') return { deleted: true };
	if (result.kind === 'record') {
		const { name, siblings } = result;
		const record = shownAs(result.record, variant);
		if (variant.record === 'bare') return record;
		return { [name]: record, ...(variant.record === 'named-with-siblings' && siblings) };
	}
	const items = result.items.map((item) => shownAs(item, variant));
	if (variant.list === 'array') return items;
	const name = variant.list === 'items' ? 'items' : result.name;
	const bare = variant.envelope === 'bare';
	// Without an envelope, a sibling of the list is the only sibling there can be.
	const inside = variant.pagination === 'inside' || (bare && variant.pagination === 'beside');
	const pagination = inside ? numbered(result.pagination, variant) : undefined;
	return { [name]: items, pagination };
}

/** A record with or without its creation time, as the variant has it. */
function shownAs(record: Shown, { createdAt }: Variant): Shown {
	return createdAt === 'none' ? lodash.omit(record, 'createdAt') : record;
}

/** The pagination as a sibling of `data`: where the variant has it, or `data` is an array. */
function siblingsOf(result: Result, variant: Variant): { pagination?: unknown } {
	if (result.kind !== 'list' || variant.pagination === 'none') return {};
	if (variant.pagination === 'inside' && variant.list !== 'array') return {};
	return { pagination: numbered(result.pagination, variant) };
}

function numbered(pagination: Pagination | undefined, { numbers }: Variant): unknown {
	if (!pagination || numbers === 'number') return pagination;
	return Object.fromEntries(Object.entries(pagination).map(([name, n]) => [name, String(n)]));
}
