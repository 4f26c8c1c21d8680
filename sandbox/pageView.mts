// Under another name than `html`, since Prettier breaks such templates into twice the lines.
import { html as h } from 'hono/html';
import lodash from 'lodash';
import type { Collection } from './collection.mts';
import * as words from './pageWords.mts';
import type { Lead, Stored } from './records.mts';
import type { LoggedRequest } from './requestLog.mts';
import type { Service } from './service.mts';
import type { Store } from './store.mts';

/** The lead whose story is open, what leads are searched for, and what the form for a new lead holds. */
export type Asked = Partial<Record<'lead' | 'q' | 'name' | 'phone', string>>;

/** HTML, or text that is escaped where it is put into a template. */
type Part = ReturnType<typeof h> | string | null;

/** How many of each are shown. */
const LIMITS = { cards: 8, people: 6, requests: 20, events: 40 };
/** The documented statuses in the order of a sale; those of the account follow. */
const STATUSES = ['open', 'in_progress', 'closed_won'];
/** How long a change is marked as new. */
const FRESH_MS = 10_000;
const { age, count, money, pairs } = words;
const cut = (text: string, length: number) => lodash.truncate(text, { length });

/** The page as a whole; `problem` is why its form was not accepted. `main` is what its script brings up to date. */
export function renderPage(service: Service, asked: Asked, problem?: string): string {
	return String(h`<!doctype html>
<html lang="en">
<head>
	<meta charset="utf-8">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<title>Leads sandbox</title>
	<link rel="icon" href="data:,">
	<link rel="stylesheet" href="/page.css">
	<noscript><meta http-equiv="refresh" content="5"></noscript>
	<script type="module" src="/page.js"></script>
</head>
<body>
	<header>
		<h1>Leads sandbox</h1>
		<p>A leads service for trying things out, in memory. This page shows what n8n does to it, as it happens.</p>
		<p id="offline" role="alert" hidden>The sandbox does not answer. It may have been stopped.</p>
		<div class="apart">
			<form method="post" action="/actions/create-lead">
				<label>Name <input name="name" autocomplete="off" placeholder="e.g. Contact A" value="${asked.name}"></label>
				<label>Phone <input name="phone" type="tel" autocomplete="off" placeholder="e.g. (11) 98888-7777"
					value="${asked.phone}" ${problem && h`aria-invalid="true" aria-describedby="problem"`}></label>
				<button class="primary">Create a lead</button>
				${problem && h`<p id="problem" role="alert">${problem}</p>`}
			</form>
			<form role="search">
				<label>Find a lead <input name="q" type="search" size="26" value="${asked.q}" placeholder="Name, phone, email, ID, tag"></label>
			</form>
		</div>
	</header>
	<main>
		${asked.lead && story(service, asked)} ${pipeline(service, asked)}
		${requests(service)} <div>${rateLimit(service)} ${people(service, asked)}</div>
	</main>
</body>
</html>`);
}

const box = (title: string, note: Part, content: Part) =>
	h`<section class="box"><h2>${title} <small>${note}</small></h2> ${content}</section>`;

function pipeline(service: Service, asked: Asked) {
	const found = words.findLeads(service.store, asked.q);
	const byStatus = lodash.groupBy(found, 'status');
	const statuses = [...STATUSES, ...lodash.difference(Object.keys(byStatus).sort(), STATUSES)];
	const searched = asked.q && ` with “${cut(asked.q, 40)}”`;
	return h`<section id="pipeline">
		<h2>Pipeline <small>${count(found.length)}${searched}, last changed first</small></h2>
		<div id="board">${statuses.map((status) => column(status, byStatus[status] ?? [], service, asked))}</div>
	</section>`;
}

const changedAt = (lead: Lead, store: Store) => store.historyOf(lead).at(-1)!.from;

function column(status: string, leads: Lead[], service: Service, asked: Asked) {
	const value = lodash.sumBy(leads, ({ estimatedValue }) => estimatedValue ?? 0);
	const newestFirst = lodash.sortBy(leads, (lead) => -changedAt(lead, service.store));
	const more = leads.length - LIMITS.cards;
	return h`<section data-status="${status}" aria-label="${words.statusWords(status)}">
		<h3>${words.statusWords(status)} <small>${count(leads.length)}</small></h3>
		<small class="apart"><code>${status}</code> ${value > 0 && h`<span>${money(value)}</span>`}</small>
		<ul>${newestFirst.slice(0, LIMITS.cards).map((lead) => card(lead, service, asked))}</ul>
		${more > 0 && h`<small>and ${count(more)} more</small>`}
	</section>`;
}

function card(lead: Lead, { store, clock }: Service, asked: Asked) {
	const contact = store.contact(lead.contactId);
	const [at, now] = [changedAt(lead, store), clock()];
	return h`<li>
		<a id="card-${lead.id}" class="box" href="${link(asked, lead.id)}"
			${now - at < FRESH_MS && h`data-fresh`} ${lead.id === asked.lead && h`aria-current="true"`}>
			<strong>${cut(words.leadName(lead, store), 60)}</strong>
			<small>${contact ? (contact.phone ?? contact.email ?? lead.externalId) : 'no contact'}</small>
			<small class="apart">
				<strong>${lead.estimatedValue !== null && money(lead.estimatedValue)}</strong> <span>${age(at, now).slice(0, 10)}</span>
			</small>
		</a>
	</li>`;
}

/** The lead that was opened. */
function story(service: Service, asked: Asked) {
	const lead = service.store.leads.get(asked.lead ?? '');
	const name = lead ? words.leadName(lead, service.store) : 'This lead is not there any more.';
	return h`<section id="story" class="box" tabindex="-1" aria-labelledby="story-name">
		<div class="apart"><h2 id="story-name">${cut(name, 80)}</h2> <a href="${link(asked)}">Close</a></div>
		${lead && leadDetails(lead, service)}
	</section>`;
}

/** What is known of a lead, and what happened to it. */
function leadDetails(lead: Lead, { store, clock }: Service) {
	const { Status: status, Contact: _, ...facts } = words.leadFields(lead, store);
	const events = eventsOf(lead, store);
	const earlier = events.length - LIMITS.events;
	return h`<p><small class="chip" data-status="${lead.status}">${status}</small></p>
		<dl>${lodash.map(facts, (value, name) => value && h`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
		<form method="post" action="/actions/win-lead">
			<input type="hidden" name="lead" value="${lead.id}">
			${lead.status !== 'closed_won' && h`<button>Mark as won</button>`}
		</form>
		<h3>What happened</h3>
		<ol>
			${earlier > 0 && h`<li><small>${count(earlier)} earlier</small></li>`}
			${events.slice(-LIMITS.events).map(
				({ at, lines, by }) => h`<li>
					${lines.map((line) => line && h`<p>${line}</p>`)}
					<small>${age(at, clock())}${by && `, by ${by}`}</small>
				</li>`,
			)}
		</ol>`;
}

/** Everything that is known to have happened to a lead, oldest first. */
function eventsOf(lead: Lead, store: Store) {
	const isOfLead = ({ leadId }: { leadId: string | null }) => leadId === lead.id;
	const interactions = store.interactions.values().filter(isOfLead);
	const conversations = store.conversations.values().filter(isOfLead);
	const messages = conversations.flatMap(({ id }) => store.messagesOf(id));
	const versions = store.historyOf(lead);
	const event = (record: Stored, ...lines: Part[]) => {
		return { at: record.createdMs, by: store.authorOf(record), lines };
	};
	const events = [
		event(lead, 'Lead created'),
		...versions.slice(1).map(({ from: at, by, lead: after }, i) => {
			return { at, by, lines: changes(versions[i].lead, after, store) };
		}),
		...interactions.map((each) => {
			const { type, title, description, metadata } = each;
			return event(each, words.sentence(type), title, description, pairs(metadata ?? {}));
		}),
		...conversations.map((each) => event(each, 'Conversation started', pairs(each.extra))),
		...messages.map(({ content, status, extra, ...each }) => {
			return event(each, h`<q>${cut(content, 600)}</q>`, pairs({ message: status, ...extra }));
		}),
	];
	return lodash.sortBy(events, 'at');
}

/** What is different in the later version of a lead, a line for each field. */
function changes(before: Lead | null, after: Lead | null, store: Store): Part[] {
	if (!before || !after) return ['Lead deleted'];
	const earlier = words.leadFields(before, store);
	const lines = Object.entries(words.leadFields(after, store)).map(([name, value]) => {
		const old = earlier[name];
		if ((value || '') === (old || '')) return '';
		return h`${name}: ${old && h`<del>${old}</del> → `}${value || 'empty'}`;
	});
	return lines.some(Boolean) ? lines : ['Written again, nothing changed'];
}

function requests({ log, store, clock }: Service) {
	const rows = lastGroups(log.requests).map((group) => {
		const [request, ...others] = group;
		const { method, path, query, key, fault, body, status } = request;
		const result = status === null ? 'running' : status > 0 && status < 400 ? 'good' : 'bad';
		const search = new URLSearchParams(query as Record<string, string>).toString();
		const sent = [
			`${method} ${path}${search && `?${search}`}`,
			`key: ${key}`,
			fault && `made to fail: ${fault}`,
			body !== undefined && cut(JSON.stringify(body, null, 2), 4000),
		];
		return h`<li><details id="request-${log.requests.lastIndexOf(group.at(-1)!)}">
			<summary>
				<small class="chip" data-result="${result}">${words.outcomeWords(request)}</small>
				${cut(words.requestWords(request, store), 160)}
				<small>${others.length > 0 && `and ${count(others.length)} more like it · `}${age(request.at, clock())}</small>
			</summary>
			<pre>${sent.filter(Boolean).join('\n')}</pre>
		</details></li>`;
	});
	const none = h`<small>None yet. Run a workflow in n8n with the credential of this sandbox.</small>`;
	const list = h`<ol>${rows}</ol> ${rows.length === 0 && none}`;
	return box('Last requests', `${count(log.requests.length)} in all`, list);
}

/** The newest first. Reads of one kind in a row, such as the polls of a trigger, are one: they would push all else out. */
function lastGroups(requests: LoggedRequest[]): LoggedRequest[][] {
	const kind = ({ method, route, status, key }: LoggedRequest) =>
		[method, route, status, key].join();
	const groups: LoggedRequest[][] = [];
	for (const request of [...requests].reverse()) {
		const group = groups.at(-1);
		if (group && request.method === 'GET' && kind(group[0]) === kind(request)) group.push(request);
		else if (groups.length === LIMITS.requests) break;
		else groups.push([request]);
	}
	return groups;
}

function rateLimit({ limiter, keyring, faults, clock }: Service) {
	const { rpm, windowMs } = limiter.limit;
	const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
	const meters = keyring.list().flatMap(({ name }) => {
		const { accepted = 0, rejected = 0, resetsAt = 0 } = limiter.counts()[name]?.at(-1) ?? {};
		const [left, wait] = [Math.max(0, rpm - accepted), resetsAt - clock()];
		if (rpm === 0 || wait <= 0) return [];
		return h`<label>
			<span>Key <strong>${name}</strong>: ${count(left)} of ${count(rpm)} requests left, full again in
				${seconds(wait)}${rejected > 0 && h`, <strong>${count(rejected)} refused</strong>`}</span>
			<meter max="${rpm}" low="${rpm / 10}" high="${rpm / 4}" optimum="${rpm}" value="${left}"></meter>
		</label>`;
	});
	const coming = lodash.sumBy(faults.list(), 'times');
	const rule = `${count(rpm)} requests in ${seconds(windowMs)} for each key`;
	const content = h`${rpm > 0 && meters.length === 0 ? h`<small>None was made just now.</small>` : meters}
		<form method="post" action="/actions/fail-next"><button>Fail the next request</button></form>
		${coming > 0 && h`<p role="status"><strong>Requests that will fail: ${coming}.</strong></p>`}`;
	return box('Rate limit', rpm === 0 ? 'none' : rule, content);
}

/** Contacts and conversations, also those without a lead. */
function people({ store, clock }: Service, asked: Asked) {
	const contacts = newest(store.contacts, ({ name, phone, email, createdMs }) => {
		const facts = [phone, email, age(createdMs, clock())].filter(Boolean).join(' · ');
		return h`<strong>${name ?? phone ?? email ?? 'no name'}</strong> <small>${facts}</small>`;
	});
	const conversations = newest(store.conversations, ({ id, leadId, contactId }) => {
		const name = store.contact(contactId)?.name ?? 'nobody named';
		const messages = store.messagesOf(id);
		const last = messages.slice(-1).map(({ content }) => h`, last: <q>${cut(content, 80)}</q>`);
		return h`${leadId ? h`<a href="${link(asked, leadId)}">${name}</a>` : h`<strong>${name}</strong>`}
			<small>${count(messages.length)} message${messages.length !== 1 && 's'}${last}</small>`;
	});
	return h`${box('Newest contacts', `of ${count(store.contacts.size)}`, contacts)}
		${box('Newest conversations', `of ${count(store.conversations.size)}`, conversations)}`;
}

function newest<T extends Stored>(records: Collection<T>, row: (record: T) => Part) {
	const { items } = records.select({ order: 'desc', offset: 0, count: LIMITS.people });
	return h`<ul>${items.map((record) => h`<li>${row(record)}</li>`)}</ul>`;
}

/** The address of the page with the story of this lead, or with none. */
function link({ q }: Asked, lead?: string): string {
	return `/?${new URLSearchParams({ ...(q && { q }), ...(lead && { lead }) })}`;
}
