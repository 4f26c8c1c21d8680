import { below, mulberry32, pickWeighted, uuid, type Random } from './random.mts';
import { blankLead, buildContact, type Contact, type Lead, type Tag } from './records.mts';
import type { StoreContents } from './store.mts';

const dayMs = 24 * 3_600_000;
/** How far back the oldest lead lies. */
const seededDays = 180;

const statuses = [
	['open', 50],
	['in_progress', 27],
	['closed_won', 15],
	['closed_lost', 6],
	['on_hold', 2],
] as const;
const priorities = [
	['medium', 70],
	['high', 20],
	['low', 10],
] as const;
const sources = [
	['whatsapp', 50],
	['api', 35],
	['other', 15],
] as const;
/** How many days before the start a sale is certain to lie, so that an export of the last days has something to show. */
const recentSaleDays = [6, 5, 3, 1, 1];
const tagNames = ['newsletter', 'demo', 'event', 'partner', 'returning', 'vip', 'trial'];

const digits = (n: number, length: number) => String(n).padStart(length, '0');

/** Creation times, ascending: one in fifty falls into the same millisecond as its neighbour. */
function randomTimes(random: Random, count: number, base: number): Float64Array {
	const length = seededDays * dayMs;
	const times = Float64Array.from({ length: count }, () => base - 1 - below(random, length)).sort();
	for (let i = 1; i < count; i++) if (random() < 0.02) times[i] = times[i - 1];
	return times;
}

const protocolLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** A tracking link's code: hyphens and `ML-` are seen in spec 4.3, the rest is ours. */
function protocol(random: Random, n: number): string {
	const letter = () => protocolLetters[below(random, protocolLetters.length)];
	return `ML-${letter()}${letter()}${letter()}${letter()}-${n.toString(36).toUpperCase().padStart(4, '0')}`;
}

function seedContact(random: Random, n: number, createdMs: number): Contact {
	const number = digits(n, 6);
	const name = `Contact ${number}`;
	const email = random() < 0.9 ? `contact.${number}@example.com` : null;
	const phone = `+5511 9 ${number.slice(0, -4).padStart(4, '0')} ${number.slice(-4)}`;
	return buildContact({ id: uuid(random), createdMs }, { name, email, phone });
}

/** @param base no sale is later */
function seedLead(
	random: Random,
	n: number,
	createdMs: number,
	contact: Contact | null,
	base: number,
): Lead {
	const number = digits(n, 6);
	const tracked = random() < 0.05;
	const status = pickWeighted(random, statuses);
	const won = status === 'closed_won';
	return {
		...blankLead,
		id: uuid(random),
		createdMs,
		// A lead that comes through a tracking link is not known to the caller's systems yet.
		externalId: tracked ? null : `lead-${number}`,
		protocol: tracked ? protocol(random, n) : null,
		status,
		priority: pickWeighted(random, priorities),
		source: tracked ? 'whatsapp' : pickWeighted(random, sources),
		contactId: contact?.id ?? null,
		estimatedValue: won || random() < 0.4 ? 100 + below(random, 500) * 50 : null,
		saleDate: won
			? new Date(createdMs + below(random, Math.min(20 * dayMs, base - createdMs))).toISOString()
			: null,
		notes: random() < 0.5 ? `Lead ${number}` : null,
		tags: tagNames.filter(() => random() < 0.12),
	};
}

/** Dates the sales of the newest leads that can be exported, which have an email and are older than a week. */
function withRecentSales(leads: Lead[], contacts: Contact[], base: number): Lead[] {
	const reachable = new Set(contacts.filter(({ email }) => email).map(({ id }) => id));
	const candidates = leads.filter(
		({ status, contactId, createdMs }) =>
			status === 'closed_won' &&
			contactId &&
			reachable.has(contactId) &&
			createdMs < base - 7 * dayMs,
	);
	const newest = candidates.slice(-recentSaleDays.length);
	const dates = new Map(
		newest.map(({ id }, i) => [id, base - recentSaleDays.at(i - newest.length)! * dayMs]),
	);
	return leads.map((lead) => {
		const sold = dates.get(lead.id);
		return sold === undefined ? lead : { ...lead, saleDate: new Date(sold).toISOString() };
	});
}

/** Gives every twentieth lead, up to 500 of them, an interaction and a short conversation. */
function seedTalks(random: Random, leads: Lead[]) {
	const talkative = leads.filter((_, i) => i % 20 === 0).slice(-500);
	const stamp = (createdMs: number) => ({ id: uuid(random), createdMs });
	const interactions = talkative.map((lead) => ({
		...stamp(lead.createdMs),
		leadId: lead.id,
		type: 'CALL',
		title: 'First call',
		description: null,
		metadata: { durationSeconds: below(random, 900) },
	}));
	const conversations = talkative.map((lead) => ({
		...stamp(lead.createdMs),
		leadId: lead.id,
		contactId: lead.contactId,
		extra: {},
	}));
	const messages = conversations.flatMap((conversation) =>
		['Good morning', 'How can we help?'].map((content, i) => ({
			...stamp(conversation.createdMs + i),
			conversationId: conversation.id,
			content,
			status: 'read',
			extra: {},
		})),
	);
	return { interactions, conversations, messages };
}

/**
 * Contents to start with, without any real person: `count` leads of the 180 days before `base`
 * (epoch ms). The same arguments give the same contents.
 */
export function seedContents(count: number, base: number): StoreContents {
	const random = mulberry32(1);
	const oldest = base - seededDays * dayMs;
	const tags: Tag[] = tagNames.map((name) => ({ id: uuid(random), createdMs: oldest, name }));
	const contacts: Contact[] = [];
	const leads: Lead[] = [];
	for (const createdMs of randomTimes(random, count, base)) {
		const kind = pickWeighted(random, [
			['new', 84],
			['known', 8],
			['none', 8],
		] as const);
		let contact: Contact | null = null;
		if (kind === 'known' && contacts.length) contact = contacts[below(random, contacts.length)];
		else if (kind !== 'none') {
			contact = seedContact(random, contacts.length + 1, createdMs);
			contacts.push(contact);
		}
		leads.push(seedLead(random, leads.length + 1, createdMs, contact, base));
	}
	return {
		leads: withRecentSales(leads, contacts, base),
		contacts,
		tags,
		...seedTalks(random, leads),
	};
}
