/** Runs the trigger in n8n: reads its state, runs one poll of the core, stores the new state, emits. */
import { cloneDeep, compact } from 'lodash';
import type { Failure, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import {
	InputError,
	isExplained,
	isForbidden,
	isRefused,
	ServiceError,
	toHtml,
	toN8nError,
	UserError,
} from '../userError';
import { simplifyRecords } from '../contract/shown';
import { clock } from '../transport/clock';
import type { Page } from '../transport/paginate';
import { encodeSegment } from '../transport/path';
import { pageReader, readOne } from '../transport/read';
import { createClient, type Client } from '../transport/send';
import { poll } from '../watch/poll';
import { hasBegun } from '../watch/state';
import { readSample } from './sample';
import { settingsOf } from './settings';
import { storeOf, type TriggerStore } from './store';
import { NOTICES, type Ask, type LeadEvent, type LeadRequest } from '../watch/types';

/** The time for a poll if n8n does not state one. */
const DEFAULT_BUDGET_MS = 300_000;
/** The part of the budget after which no request is sent; the rest is for storing the state. */
const USABLE = 0.8;

/**
 * Is shown with the first event of a poll. The context of a poll has no hints: `addExecutionHints` is in ExecuteContext only
 * (poll-context.ts in n8n-core 2.41.1, read 2026-11-28).
 */
const NO_CONTACTS =
	'Events come without the phone: the API key lacks the scope contacts:read, with which "Include Full Lead" reads contacts. Add it to the key, or switch "Include Full Lead" off.';

/** The columns of the output (see contract/shown.ts): what happened and to whom, then IDs, then the whole lead. */
export const eventColumns = {
	event: 'event',
	name: 'lead.contact.name',
	email: 'lead.contact.email',
	phone: 'lead.contact.phone',
	status: 'status',
	previousStatus: 'previousStatus',
	tag: 'tag',
	leadId: 'lead.id',
	externalId: 'lead.externalId',
	detectedAt: 'detectedAt',
	redelivered: 'redelivered',
	eventId: 'eventId',
	sample: 'sample',
	note: 'note',
	lead: 'lead',
};

/** The triggers that this process is polling: n8n may start a poll while another of the same trigger still runs. */
const running = new Set<string>();

/**
 * Runs one poll.
 *
 * @returns null if there are no events
 * @throws ServiceError or NodeOperationError if no request was answered; the stored state then stays
 */
export async function pollLeads(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() !== 'manual') return await pollAlone(context);
	return await pollSample(context).catch((reason: unknown) => {
		throw toNodeError(context, reason);
	});
}

async function pollAlone(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	if (running.has(key)) return null;
	running.add(key);
	const startedAt = clock.now();
	const store = storeOf(context, key);
	try {
		return await pollOnce(context, store);
	} catch (reason) {
		if (!store.isStart || isForPublisher(context, reason)) throw toNodeError(context, reason);
		// When the first poll throws, n8n 2.41 writes that to its log and never polls again, even after a restart. Of later ones it
		// makes failed executions, and polls on.
		context.__emitError(toNodeError(context, reason));
		store.wait(startedAt);
		return null;
	} finally {
		running.delete(key);
	}
}

/** Whether who is publishing the workflow has to correct it, and so to publish it again. n8n then shows why it is not published. */
function isForPublisher(context: IPollFunctions, reason: unknown): boolean {
	return (
		reason instanceof InputError && ['activate', 'update'].includes(context.getActivationMode())
	);
}

async function pollOnce(
	context: IPollFunctions,
	store: TriggerStore,
): Promise<INodeExecutionData[][] | null> {
	if (store.isStale) return null;
	const budgetMs = (context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS) * USABLE;
	const deadline = clock.now() + budgetMs;
	// Waits for the rate limit, and between attempts, end with the budget as well.
	const signal = AbortSignal.timeout(Math.floor(budgetMs));
	const client = await createClient(context, { deadline, signal, isList: true });
	const { send, missing } = sender(context, client);
	const { stored } = store;
	const settings = settingsOf(context, client, store);
	const failures: Error[] = [];
	const hasTime = () => !signal.aborted && clock.now() < deadline;
	// Answers until a request fails or time is up. What was answered by then is used.
	const ask: Ask = async (request) => {
		if (failures.length > 0 || !hasTime()) return undefined;
		try {
			return await send(request);
		} catch (reason) {
			// A request aborted at the deadline is not a service failure.
			if (hasTime()) failures.push(reason instanceof Error ? reason : new Error(String(reason)));
			return undefined;
		}
	};
	const result = await poll(cloneDeep(stored), settings, clock.now(), ask);
	const [failure] = failures;
	if (!result) {
		if (failure) throw failure;
		if (hasBegun(stored)) return null;
		throw new UserError(
			'Watching leads could not start in the time that n8n gives a poll',
			'The service answered too slowly, or the rate limit of the API key was used up. The next poll tries again.',
		);
	}
	if (failure) {
		context.logger.warn(
			`${failure.message}. What was read before is used, the rest waits for the next poll.`,
		);
	}
	for (const notice of result.notices) context.logger.warn(NOTICES[notice]);
	const events = store.write(result);
	return events.length > 0 ? [toEventItems(events, missing())] : null;
}

/** A manual run outputs an existing lead as an event. It does not touch the state. */
async function pollSample(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const client = await createClient(context);
	const settings = settingsOf(context, client);
	const { send, missing } = sender(context, client);
	const sample = await readSample(settings, send, clock.now());
	return [toEventItems([sample], missing())];
}

/** Functions that make the requests of a poll, and say what events lack since the key may not read it. */
function sender(context: IPollFunctions, client: Client) {
	const errorContext = { action: 'Watch leads', scope: 'leads:read', targets: [] };
	let readsContacts = true;
	const one = async (
		path: string,
		id: string,
		record: string,
		of = errorContext,
	): Promise<Page> => {
		const read = async () =>
			await readOne(client, `${path}/${encodeSegment(id, 'ID', false)}`, record, of);
		const found = await read().catch((reason: unknown) => {
			// A record that can never be read must not hold back its event and all later ones.
			if (isRefused(reason) || reason instanceof InputError) return { record: undefined };
			throw reason;
		});
		return { records: compact([found.record]) };
	};
	const send = async (request: LeadRequest): Promise<Page> => {
		if (request.kind === 'list') {
			const list = { path: '/leads', errorContext, record: { plural: 'leads' } };
			return await pageReader(client, list)(request.query);
		}
		if (request.kind === 'lead') return await one('/leads', request.id, 'lead');
		if (!readsContacts) return { records: [] };
		const ofContact = { ...errorContext, action: 'Read contacts of leads', scope: 'contacts:read' };
		return await one('/contacts', request.id, 'contact', ofContact).catch((reason: unknown) => {
			if (!isForbidden(reason)) throw reason;
			if (readsContacts) context.logger.warn(NO_CONTACTS);
			readsContacts = false;
			return { records: [] };
		});
	};
	return { send, missing: () => (readsContacts ? undefined : NO_CONTACTS) };
}

/** @param missing what the first one says about what events lack */
function toEventItems(events: LeadEvent[], missing?: string): INodeExecutionData[] {
	const rows = simplifyRecords(
		events.map((event, index) => ({
			...event,
			...(missing && index === 0 && { note: compact([event.note, missing]).join(' ') }),
		})),
		eventColumns,
	);
	return rows.map((json) => ({ json }));
}

/** The error for n8n. */
function toNodeError(context: IPollFunctions, reason: unknown): Error {
	if (!isExplained(reason)) return reason instanceof Error ? reason : new Error(String(reason));
	const description = toHtml(reason.description);
	if (reason instanceof ServiceError) return toN8nError(context.getNode(), reason, { description });
	const failure: Failure = {
		cause: reason instanceof InputError ? 'configuration-invalid' : 'temporarily-unavailable',
	};
	return toN8nError(context.getNode(), reason, { description, failure });
}
