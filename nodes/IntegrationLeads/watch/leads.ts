/** Parses the leads of an answer. */
import { createHash } from 'node:crypto';

import { isRecord, type ServiceRecord } from '../values/json';
import type { Page } from '../transport/paginate';
import type { Ask } from './types';

/** Leads created in [start, end), in ms since the epoch; an infinite end is open. */
export interface Span {
	start: number;
	end: number;
}

export interface Lead {
	id: string;
	/** Identifies the lead in the state. */
	key: string;
	/** In ms since the epoch. */
	createdAt: number;
	status: string;
	record: ServiceRecord;
}

/** A page that lists leads. */
export interface LeadPage extends Page {
	/** In the order of the answer, each once, without those that have no readable creation time. */
	leads: Lead[];
}

/** Reads a page of the leads of an interval. Undefined if no more requests may be made. */
export type ReadSpan = (span: Span, page: number) => Promise<LeadPage | undefined>;

/** The length of a key: 30 bits of a hash. One of ten million new leads has the key of a known one in its bucket and goes unseen. */
export const KEY_LENGTH = 5;

/** @returns undefined for a record without an ID or a readable time of creation, which cannot be watched */
export function toLead(record: ServiceRecord): Lead | undefined {
	const { id, createdAt: text } = record;
	const createdAt = typeof text === 'string' ? Date.parse(text) : NaN;
	const hasId = typeof id === 'number' || (typeof id === 'string' && id !== '');
	if (!hasId || Number.isNaN(createdAt)) return undefined;
	const hash = createHash('sha256').update(String(id)).digest('base64url');
	const key = hash.slice(0, KEY_LENGTH);
	return { id: String(id), key, createdAt, status: statusOf(record), record };
}

export function statusOf({ status }: ServiceRecord): string {
	return typeof status === 'string' ? status : '';
}

/** Reads a lead individually, and its contact if the lead shows no phone (spec 2). Undefined without an answer. */
export async function readFull(ask: Ask, id: string): Promise<Page | undefined> {
	const page = await ask({ kind: 'lead', id });
	const [lead] = page?.records ?? [];
	const contact = isRecord(lead?.contact) ? lead.contact : {};
	if (!contact.id || 'phone' in contact) return page;
	const found = await ask({ kind: 'contact', id: String(contact.id) });
	return found && { ...page, records: [{ ...lead, contact: { ...contact, ...found.records[0] } }] };
}

export function within<T extends { createdAt: number }>(leads: T[], { start, end }: Span): T[] {
	return leads.filter(({ createdAt }) => createdAt >= start && createdAt < end);
}
