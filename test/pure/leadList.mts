/** A list of leads in memory, paged and bounded as spec 4.1 says, or not quite. */
import type { CreationBounds, Page } from '../../nodes/IntegrationLeads/transport/paginate';
import { seeded } from './virtualClock.mts';

export interface Lead {
	id: string;
	/** Milliseconds since the epoch. */
	createdAt: number;
	status: string;
}

interface Asked {
	page: number;
	limit: number;
	createdAfter?: string;
	createdBefore?: string;
}

export interface ServiceBehaviour {
	order?: 'asc' | 'desc' | 'random';
	/** Whether a bound includes itself: not shown. */
	inclusive?: boolean;
	/** What the service cuts bounds down to before it compares, in ms. */
	granularity?: number;
	/** Which parts of a request the service does not understand. */
	ignores?: { page?: boolean; bounds?: boolean };
	/** Answers state no total. */
	withoutTotal?: boolean;
	/** Totals count all leads, whatever the bounds. */
	countsAll?: boolean;
	/** Leads come without their ids. */
	nameless?: boolean;
	/** Pages hold no more than this. */
	largestPage?: number;
	/** The answer carries no `Date` header. */
	clockless?: boolean;
	/** By how much the `Date` header is ahead of the clock by which leads are created, in ms. */
	ahead?: number;
	/** Requests arrive, and are answered, in another order than they are sent. */
	shuffled?: boolean;
	/** Which leads pass the filter; all, unless given. */
	isListed?: (lead: Lead) => boolean;
	/** Happens before each request but the first. */
	churn?: (leads: Map<string, Lead>, now: number) => void;
}

const FIRST_REQUEST = Date.parse('2026-03-02T12:00:17.250Z');
/** The service's clock goes on by this much with each request. */
const REQUEST_MS = 37;

/** A request more than this is taken for an endless loop. */
const TOO_MANY = 500;

export function leadList(initial: Lead[], behaviour: ServiceBehaviour = {}) {
	const { order = 'desc', granularity = 1, ignores = {}, largestPage = 100 } = behaviour;
	const { inclusive = false } = behaviour;
	const leads = new Map(initial.map((lead) => [lead.id, lead]));
	const sign = order === 'asc' ? 1 : -1;
	let requests = 0;
	let listed: Lead[] | undefined;

	const cut = (bound: number) => bound - (bound % granularity);
	const within = (createdAt: number, { after, countBefore: before }: CreationBounds) => {
		if (ignores.bounds) return true;
		const time = cut(createdAt);
		if (after !== undefined && (inclusive ? time < cut(after) : time <= cut(after))) return false;
		return before === undefined || (inclusive ? time <= cut(before) : time < cut(before));
	};

	async function read({ page: number, limit: most, ...given }: Asked): Promise<Page> {
		const bounds = {
			after: given.createdAfter && Date.parse(given.createdAfter),
			countBefore: given.createdBefore && Date.parse(given.createdBefore),
		} as CreationBounds;
		if (behaviour.shuffled) await turns();
		requests += 1;
		const now = FIRST_REQUEST + requests * REQUEST_MS;
		if (requests > TOO_MANY) throw new Error('the list is read for ever');
		if (requests > 1 && behaviour.churn) {
			behaviour.churn(leads, now);
			listed = undefined;
		}
		listed ??= [...leads.values()].sort((a, b) =>
			order === 'random' ? placeOf(a.id) - placeOf(b.id) : sign * (a.createdAt - b.createdAt),
		);
		const all = listed.filter(
			(lead) => within(lead.createdAt, bounds) && behaviour.isListed?.(lead) !== false,
		);
		const counted = behaviour.countsAll ? listed.length : all.length;
		const limit = Math.min(most, largestPage);
		const page = ignores.page ? 1 : number;
		if (behaviour.shuffled) await turns();
		const records = all.slice((page - 1) * limit, page * limit).map(({ id, ...lead }) => ({
			...(behaviour.nameless ? { name: id } : { id }),
			...lead,
			createdAt: new Date(lead.createdAt).toISOString(),
		}));
		return {
			records,
			total: behaviour.withoutTotal ? undefined : counted,
			serverNow: behaviour.clockless ? undefined : now - (now % 1000) + (behaviour.ahead ?? 0),
		};
	}

	return { read, leads, requests: () => requests };
}

const random = seeded(1);

async function turns(): Promise<void> {
	for (let left = Math.floor(8 * random()); left > 0; left -= 1) await Promise.resolve();
}

const places = new Map<string, number>();

/** An order that has nothing to do with time. */
function placeOf(id: string): number {
	let place = places.get(id);
	if (place === undefined) {
		place = 0;
		for (const character of id) place = (Math.imul(place, 31) + character.charCodeAt(0)) | 0;
		place = Math.imul(place, 0x9e3779b1);
		places.set(id, place);
	}
	return place;
}

const DAY = 86_400_000;

/** Leads as they come in: on working days, between eight and eighteen o'clock. */
export function businessHours(count: number, random: () => number, days = 90): Lead[] {
	const first = Date.parse('2025-12-01T00:00:00Z');
	return Array.from({ length: count }, (_, index) => {
		let day = Math.floor(random() * days);
		if (day % 7 > 4) day -= 2;
		const createdAt = first + day * DAY + Math.floor((8 + 10 * random()) * 3_600_000);
		return { id: `lead-${index}`, createdAt, status: index % 3 ? 'open' : 'closed_won' };
	});
}
