/**
 * The service under the benchmark: the sandbox's records and controls behind a server that does as little as possible
 * for a request, so that it is never what is measured. Texts of leads are built once.
 *
 *   tsx bench/n8n/service.mts --port 3100
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { createControls } from '../../sandbox/controls.mts';
import type { Order } from '../../sandbox/collection.mts';
import { defaultKeys } from '../../sandbox/keys.mts';
import { mulberry32 } from '../../sandbox/random.mts';
import type { Lead } from '../../sandbox/records.mts';
import { apiPrefix } from '../../sandbox/routes.mts';
import { seedContents } from '../../sandbox/seed.mts';
import { createService } from '../../sandbox/service.mts';
import { showLead, showListedLead } from '../../sandbox/show.mts';
import type { LeadFilter, Store, StoreContents } from '../../sandbox/store.mts';
import { upsertLead, type UpsertInput } from '../../sandbox/upsert.mts';

/** What a run finds. `churn`: how many leads are created and deleted before each list. `faultShare`: of POSTs, at random, which are answered with 429 and 503 in turn. */
export interface Setup {
	leads: number;
	latencyMs: number;
	faultShare: number;
	order: Order;
	churn: number;
}

interface Answer {
	status: number;
	body: string;
	headers?: Record<string, string>;
}

const MAX_PAGE = 100;
const CONTROLS = '/_sandbox/';
const UNLIMITED = '1000000';
/** Answered in turn. */
const FAULTS: Array<{ status: number; code: string; headers?: Answer['headers'] }> = [
	{ status: 429, code: 'RATE_LIMIT_EXCEEDED', headers: { 'Retry-After': '1' } },
	{ status: 503, code: 'INTERNAL_ERROR' },
];

const service = createService({ seed: 0, rpm: 0 });
const { store } = service;
const seeded = new Map<number, StoreContents>();
const EMPTY: Setup = { leads: 0, latencyMs: 0, faultShare: 0, order: 'desc', churn: 0 };
let setup = EMPTY;
let random = mulberry32(1);
let [requests, faults] = [0, 0];
let begun: string[] = [];
/** How often a lead with this external ID was recorded. */
let recorded = new Map<string, number>();

/** The sandbox's controls, and those of the benchmark. */
export type BenchControls = typeof controls;

const controls = {
	...createControls(service),
	/** Sets everything for a run and forgets what was counted. */
	prepare(given: Partial<Setup>) {
		setup = { ...EMPTY, ...given };
		random = mulberry32(1);
		const { leads } = setup;
		if (!seeded.has(leads)) seeded.set(leads, seedContents(leads, Date.now()));
		store.load(seeded.get(leads) as StoreContents);
		begun = store.leads.values().map(({ id }) => id);
		[requests, faults] = [0, 0];
		recorded = new Map();
	},
	/** What was counted since; `repeated`: writes of a lead that was recorded already. */
	counts() {
		const repeated = [...recorded.values()].reduce((sum, times) => sum + times - 1, 0);
		return { requests, faults, leads: store.leads.size, repeated };
	},
	ids: () => begun,
	/** What was there from the beginning. */
	stayed: () => begun.filter((id) => store.leads.get(id)),
};

/** The JSON of leads, which are immutable. */
function textsOf(show: (lead: Lead, store: Store) => object): (lead: Lead) => string {
	const texts = new WeakMap<Lead, string>();
	return (lead) => {
		const known = texts.get(lead) ?? JSON.stringify(show(lead, store));
		texts.set(lead, known);
		return known;
	};
}
const listed = textsOf(showListedLead);
const whole = textsOf(showLead);

const inEnvelope = (data: string) => `{"success":true,"data":${data}}`;
const failure = (status: number, code: string): Answer => ({
	status,
	body: JSON.stringify({ success: false, error: { code, message: `Answered ${status}` } }),
});

function list(query: URLSearchParams): Answer {
	for (let left = setup.churn; left > 0; left -= 1) {
		store.createLead({ source: 'api' });
		const all = store.leads.values();
		store.deleteLead(all[Math.floor(random() * all.length)]);
	}
	const {
		page = '1',
		limit = '20',
		createdAfter,
		createdBefore,
		...fields
	} = Object.fromEntries(query);
	const count = Math.min(MAX_PAGE, Number(limit));
	const filter: LeadFilter = {
		...fields,
		createdAfter: createdAfter ? Date.parse(createdAfter) : undefined,
		createdBefore: createdBefore ? Date.parse(createdBefore) : undefined,
	};
	const offset = (Number(page) - 1) * count;
	const { items, total } = store.listLeads(filter, { order: setup.order, offset, count });
	const totalPages = Math.ceil(total / count);
	const pagination = JSON.stringify({ page: Number(page), limit: count, total, totalPages });
	const data = `{"leads":[${items.map(listed).join(',')}],"pagination":${pagination}}`;
	return { status: 200, body: inEnvelope(data) };
}

function get(identifier: string): Answer {
	const lead = store.leads.get(identifier) ?? store.leadByExternalId(identifier);
	return lead ? { status: 200, body: inEnvelope(whole(lead)) } : failure(404, 'NOT_FOUND');
}

function create(body: string): Answer {
	if (random() < setup.faultShare) {
		const { status, code, headers } = FAULTS[faults % FAULTS.length];
		faults += 1;
		return { ...failure(status, code), headers };
	}
	const { lead, outcome } = upsertLead(store, JSON.parse(body) as UpsertInput);
	recorded.set(lead.id, (recorded.get(lead.id) ?? 0) + 1);
	return { status: outcome === 'created' ? 201 : 200, body: inEnvelope(whole(lead)) };
}

async function answer(
	request: IncomingMessage,
	path: string,
	query: URLSearchParams,
): Promise<Answer> {
	requests += 1;
	if (request.headers.authorization !== `Bearer ${defaultKeys.full}`)
		return failure(401, 'UNAUTHORIZED');
	const body = request.method === 'POST' ? await text(request) : '';
	if (setup.latencyMs > 0) await sleep(setup.latencyMs);
	if (path === '/leads') return request.method === 'POST' ? create(body) : list(query);
	if (path.startsWith('/leads/')) return get(decodeURIComponent(path.slice('/leads/'.length)));
	return failure(404, 'NOT_FOUND');
}

async function control(request: IncomingMessage, name: string): Promise<Answer> {
	const body = await text(request);
	const act = controls[name as keyof typeof controls] as (argument: unknown) => unknown;
	const result = act(body ? (JSON.parse(body) as unknown) : undefined);
	return { status: 200, body: JSON.stringify(result ?? { done: true }) };
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
	const { status, body, headers } = pathname.startsWith(CONTROLS)
		? await control(request, pathname.slice(CONTROLS.length))
		: await answer(request, pathname.slice(apiPrefix.length), searchParams);
	response.writeHead(status, {
		'Content-Type': 'application/json; charset=utf-8',
		'Content-Length': Buffer.byteLength(body),
		'X-RateLimit-Limit': UNLIMITED,
		'X-RateLimit-Remaining': UNLIMITED,
		'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + 60),
		...headers,
	});
	response.end(body);
}

const { values } = parseArgs({
	options: { port: { type: 'string', default: '0' } },
	// The sandbox's other flags, which are of no use here.
	strict: false,
});
createServer((request, response) => void respond(request, response)).listen(
	Number(values.port),
	'127.0.0.1',
);
