// Under another name than `html`, since Prettier breaks such templates into twice the lines.
import { html as h } from 'hono/html';
import lodash from 'lodash';
import * as words from './pageWords.mts';
import type { Conversation, Interaction, Lead, Message } from './records.mts';
import type { LoggedRequest } from './requestLog.mts';
import type { Service } from './service.mts';
import type { Store } from './store.mts';

/** What of the page is asked for, and what was typed into its form. */
export interface Asked {
	/** The lead whose story is open. */
	lead?: string;
	/** What leads are searched for. */
	q?: string;
	form?: Record<string, string>;
	/** Why the form was not accepted. */
	problem?: string;
}

/** What the parts of the page are made from. */
interface Shown {
	service: Service;
	store: Store;
	asked: Asked;
	now: number;
}

/** HTML, or text that is escaped where it is put into a template. */
type Part = ReturnType<typeof h> | string;

/** How many of each are shown. */
const LIMITS = { cards: 8, people: 6, requests: 20, events: 40 };
/** The documented statuses in the order of a sale; those of the account follow. */
const STATUSES = ['open', 'in_progress', 'closed_won'];
/** How long a change is marked as new. */
const FRESH_MS = 10_000;
const { age, count, leadName, money, pairs, statusWords } = words;
const { sortBy, sumBy } = lodash;
const cut = (text: string, length: number) => lodash.truncate(text, { length });

/** The page as a whole. `main` is what its script brings up to date. */
export function renderPage(service: Service, asked: Asked): string {
	const shown = { service, store: service.store, asked, now: service.clock() };
	const { form = {}, problem, q } = asked;
	return String(h`<!doctype html>
<html lang="en">
<head>
	<meta charset="utf-8">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<title>Leads sandbox</title>
	<link rel="icon" href="data:,">
	<link rel="stylesheet" href="/page.css">
	<noscript><meta http-equiv="refresh" content="5"></noscript>
	<script src="/page.js" defer></script>
</head>
<body>
	<h1>Leads sandbox</h1>
	<p>A leads service for trying things out, in memory. This page shows what n8n does to it, as it happens.</p>
	<div class="bar">
		<form method="post" action="/actions/create-lead">
			<label>Name <input name="name" autocomplete="off" placeholder="e.g. Contact A" value="${form.name}"></label>
			<label>Phone <input name="phone" type="tel" autocomplete="off" placeholder="e.g. (11) 98888-7777"
				value="${form.phone}" ${problem && h`aria-invalid="true" aria-describedby="problem"`}></label>
			<button class="primary">Create a lead</button>
			${problem && h`<p id="problem" role="alert">${problem}</p>`}
		</form>
		<form role="search">
			<label>Find a lead <input name="q" type="search" value="${q}" placeholder="Name, phone, email, ID, tag"></label>
		</form>
	</div>
	<main>
		${pipeline(shown)} ${asked.lead && story(shown, service.store.leads.get(asked.lead))}
		${requests(shown)} <div>${rateLimit(shown)} ${people(shown)}</div>
	</main>
</body>
</html>`);
}

const changedAt = (lead: Lead, store: Store) =>
	store.historyOf(lead).at(-1)?.from ?? lead.createdMs;

function pipeline(shown: Shown) {
	const found = words.findLeads(shown.store, shown.asked.q);
	const byStatus = lodash.groupBy(found, 'status');
	const statuses = [...STATUSES, ...lodash.difference(Object.keys(byStatus).sort(), STATUSES)];
	const searched = shown.asked.q && h` with “${cut(shown.asked.q, 40)}”`;
	return h`<section id="pipeline">
		<h2>Pipeline <small>${count(found.length)}${searched}, last changed first</small></h2>
		<div id="board">${statuses.map((status) => column(status, byStatus[status] ?? [], shown))}</div>
	</section>`;
}

function column(status: string, leads: Lead[], shown: Shown) {
	const value = sumBy(leads, ({ estimatedValue }) => estimatedValue ?? 0);
	const newest = sortBy(leads, (lead) => -changedAt(lead, shown.store)).slice(0, LIMITS.cards);
	const more = leads.length - newest.length;
	return h`<section data-status="${status}" aria-label="${statusWords(status)}">
		<h3 class="apart">${statusWords(status)} <span>${count(leads.length)}</span></h3>
		<p class="apart quiet"><code>${status}</code> ${value > 0 && h`<span>${money(value)}</span>`}</p>
		<ul>${newest.map((lead) => card(lead, shown))}</ul>
		${more > 0 && h`<p class="quiet">and ${count(more)} more</p>`}
	</section>`;
}

function card(lead: Lead, { store, asked, now }: Shown) {
	const contact = store.contact(lead.contactId);
	const at = changedAt(lead, store);
	const reach = contact ? (contact.phone ?? contact.email ?? lead.externalId) : 'no contact';
	return h`<li id="card-${lead.id}" ${now - at < FRESH_MS && h`data-fresh`}>
		<a href="${link(asked, lead.id)}" ${lead.id === asked.lead && h`aria-current="true"`}>
			<strong>${cut(leadName(lead, store), 60)}</strong> <span class="quiet">${reach}</span>
			<span class="apart">
				<span>${lead.estimatedValue !== null && money(lead.estimatedValue)}</span>
				<span class="quiet">${age(at, now).slice(0, 10)}</span>
			</span>
		</a>
	</li>`;
}

/** What is known of a lead, and what happened to it. */
function story({ store, asked, now }: Shown, lead?: Lead) {
	const close = h`<a class="close" href="${link(asked)}">Close</a>`;
	if (!lead) {
		return h`<section id="story" class="box" tabindex="-1" aria-label="Lead">
			${close} <p>This lead is not there any more.</p>
		</section>`;
	}
	const { Status: status, Contact: _, ...facts } = words.leadFields(lead, store);
	const events = eventsOf(lead, store);
	const earlier = events.length - LIMITS.events;
	return h`<section id="story" class="box" tabindex="-1" aria-labelledby="story-name">
		${close} <h2 id="story-name">${cut(leadName(lead, store), 80)}</h2>
		<p><span class="chip" data-status="${lead.status}">${status}</span></p>
		<dl>${Object.entries(facts).map(([name, value]) => value && h`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
		${
			lead.status !== 'closed_won' &&
			h`<form method="post" action="/actions/win-lead">
				<input type="hidden" name="lead" value="${lead.id}"><button>Mark as won</button>
			</form>`
		}
		<h3>What happened</h3>
		<ol>
			${earlier > 0 && h`<li class="quiet">${count(earlier)} earlier</li>`}
			${events.slice(-LIMITS.events).map(
				({ at, title, text, by }) => h`<li>
					<p>${title}</p> ${text && h`<p>${text}</p>`} <p class="quiet">${age(at, now)}${by && `, by ${by}`}</p>
				</li>`,
			)}
		</ol>
	</section>`;
}

/** Something that happened to a lead. */
interface LeadEvent {
	at: number;
	title: Part | Part[];
	text?: string;
	by?: string;
}

/** Everything that is known to have happened to a lead, oldest first. */
function eventsOf(lead: Lead, store: Store): LeadEvent[] {
	const isOfLead = ({ leadId }: { leadId: string | null }) => leadId === lead.id;
	const conversations = store.conversations.values().filter(isOfLead);
	const ids = new Set(conversations.map(({ id }) => id));
	const messages = store.messages.values().filter((each) => ids.has(each.conversationId));
	const versions = store.historyOf(lead);
	const event = (
		record: Lead | Interaction | Conversation | Message,
		title: Part,
		...texts: Array<string | null>
	): LeadEvent => ({
		at: record.createdMs,
		by: store.authorOf(record),
		title,
		text: texts.filter(Boolean).join(' · '),
	});
	const interaction = (each: Interaction) => {
		const type = lodash.capitalize(each.type.replaceAll('_', ' '));
		const title = [type, each.title].filter(Boolean).join(': ');
		return event(each, title, each.description, pairs(each.metadata ?? {}));
	};
	const message = (each: Message) => {
		const content = h`<q>${cut(each.content, 600)}</q>`;
		return event(each, content, `Message, ${each.status}`, pairs(each.extra));
	};
	const events = [
		event(lead, 'Lead created'),
		...versions.slice(1).map(({ from: at, by, lead: after }, i) => {
			return { at, by, title: changes(versions[i].lead, after, store) };
		}),
		...store.interactions.values().filter(isOfLead).map(interaction),
		...conversations.map((each) => event(each, 'Conversation started', pairs(each.extra))),
		...messages.map(message),
	];
	return sortBy(events, 'at');
}

/** What is different in the later version of a lead. */
function changes(before: Lead | null, after: Lead | null, store: Store): Part | Part[] {
	if (!before || !after) return 'Lead deleted';
	const earlier = words.leadFields(before, store);
	const changed = Object.entries(words.leadFields(after, store)).filter(
		([name, value]) => (value ?? '') !== (earlier[name] ?? ''),
	);
	if (changed.length === 0) return 'Written again, nothing changed';
	return changed.map(([name, value], i) => {
		const old = earlier[name] && h`<del>${earlier[name]}</del> → `;
		return h`${i > 0 && h`<br>`}${name}: ${old}${value || 'empty'}`;
	});
}

function requests(shown: Shown) {
	const sent = shown.service.log.requests;
	const rows = lastGroups(sent).map((group) => requestRow(group, shown));
	return h`<section class="box">
		<h2>Last requests <small>${count(sent.length)} in all</small></h2>
		<ol class="rows">${rows}</ol>
		${rows.length === 0 && h`<p class="quiet">None yet. Run a workflow in n8n with the credential of this sandbox.</p>`}
	</section>`;
}

/** Requests that are one row, newest first. `index` is that of the first one. */
interface RequestGroup {
	index: number;
	requests: LoggedRequest[];
}

/** The newest first. Reads of one kind in a row, such as the polls of a trigger, are one: they would push all else out. */
function lastGroups(requests: LoggedRequest[]): RequestGroup[] {
	const kind = ({ method, route, status, key }: LoggedRequest) =>
		[method, route, status, key].join();
	const groups: RequestGroup[] = [];
	for (let index = requests.length - 1; index >= 0; index -= 1) {
		const request = requests[index];
		const group = groups.at(-1);
		if (request.method === 'GET' && group && kind(group.requests[0]) === kind(request)) {
			group.requests.push(request);
			group.index = index;
		} else if (groups.length === LIMITS.requests) break;
		else groups.push({ index, requests: [request] });
	}
	return groups;
}

function requestRow(
	{ index, requests: [request, ...others] }: RequestGroup,
	{ store, now }: Shown,
) {
	const { status, method, path, query, key, fault, body } = request;
	const result = status === null ? 'running' : status > 0 && status < 400 ? 'good' : 'bad';
	const search = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
	const sent = [
		`${method} ${[path, search.join('&')].filter(Boolean).join('?')}`,
		`key: ${key}`,
		...(fault ? [`made to fail: ${fault}`] : []),
		...(body === undefined ? [] : [cut(JSON.stringify(body, null, 2), 4000)]),
	];
	return h`<li id="request-${index}"><details id="details-${index}">
		<summary>
			<span class="words">${cut(words.requestWords(request, store), 160)}
				${others.length > 0 && h`<span class="quiet">and ${count(others.length)} more like it</span>`}</span>
			<span class="chip" data-result="${result}">${words.outcomeWords(request)}</span>
			<span class="quiet">${age(request.at, now)}</span>
		</summary>
		<pre>${sent.join('\n')}</pre>
	</details></li>`;
}

function rateLimit({ service: { limiter, keyring, faults }, now }: Shown) {
	const { rpm, windowMs } = limiter.limit;
	const seconds = (ms: number) => `${Math.max(0, Math.ceil(ms / 1000))} s`;
	const meters = keyring.list().flatMap(({ name }) => {
		const { accepted = 0, rejected = 0, resetsAt = 0 } = limiter.counts()[name]?.at(-1) ?? {};
		if (rpm === 0 || resetsAt <= now) return [];
		const left = Math.max(0, rpm - accepted);
		return h`<label>
			<span>Key <strong>${name}</strong>: ${count(left)} of ${count(rpm)} requests left, full again in
				${seconds(resetsAt - now)}${rejected > 0 && h`, <strong>${count(rejected)} refused</strong>`}</span>
			<meter max="${rpm}" low="${rpm / 10}" high="${rpm / 4}" optimum="${rpm}" value="${left}"></meter>
		</label>`;
	});
	const coming = sumBy(faults.list(), 'times');
	const rule = `Each key may make ${count(rpm)} requests in ${seconds(windowMs)}.`;
	return h`<section class="box">
		<h2>Rate limit</h2>
		${meters}
		<p class="quiet">${rpm === 0 ? 'There is no rate limit.' : rule}
			${rpm > 0 && meters.length === 0 && 'None was made just now.'}</p>
		<form method="post" action="/actions/fail-next"><button>Fail the next request</button></form>
		${coming > 0 && h`<p role="status"><strong>Requests that will fail: ${coming}.</strong></p>`}
	</section>`;
}

/** Contacts and conversations, also those without a lead. */
function people({ store, asked, now }: Shown) {
	const newest = { order: 'desc', offset: 0, count: LIMITS.people } as const;
	const contacts = store.contacts.select(newest);
	const conversations = store.conversations.select(newest);
	const contactRows = contacts.items.map(({ name, phone, email, createdMs }) => {
		const facts = [phone, email, age(createdMs, now)].filter(Boolean).join(' · ');
		return h`<li><strong>${name ?? phone ?? email ?? 'no name'}</strong> <span class="quiet">${facts}</span></li>`;
	});
	const conversationRows = conversations.items.map(({ id, leadId, contactId }) => {
		const isOfThis = ({ conversationId }: Message) => conversationId === id;
		const { total, items } = store.messages.select({ ...newest, count: 1 }, isOfThis);
		const name = store.contact(contactId)?.name ?? 'nobody named';
		const lead = store.leads.get(leadId ?? '');
		return h`<li>
			${lead ? h`<a href="${link(asked, lead.id)}">${name}</a>` : h`<strong>${name}</strong>`}
			<span class="quiet">${count(total)} message${total !== 1 && 's'}${items.map(({ content }) => h`, last: <q>${cut(content, 80)}</q>`)}</span>
		</li>`;
	});
	return h`<section class="box">
		<h2>Newest contacts <small>of ${count(contacts.total)}</small></h2> <ul class="rows">${contactRows}</ul>
	</section>
	<section class="box">
		<h2>Newest conversations <small>of ${count(conversations.total)}</small></h2> <ul class="rows">${conversationRows}</ul>
	</section>`;
}

/** The address of the page with the story of this lead, or with none. */
function link({ q }: Asked, lead?: string): string {
	const query = new URLSearchParams({ ...(q && { q }), ...(lead && { lead }) }).toString();
	return query ? `/?${query}` : '/';
}
