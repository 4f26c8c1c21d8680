import lodash from 'lodash';
import { html, type HtmlValue } from './html.mts';
import type { Conversation, Interaction, Lead, Message } from './records.mts';
import type { LoggedRequest } from './requestLog.mts';
import { leadName, outcomeWords, requestWords } from './requestWords.mts';
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

/** How many of each are shown. */
const shown = { cards: 8, contacts: 6, conversations: 6, requests: 20, events: 40 };
/** The documented statuses in the order of a sale; those of the account follow. */
const statusOrder = ['open', 'in_progress', 'closed_won'];
/** How long a change is marked as new. */
const freshMs = 10_000;
const { capitalize, groupBy, map, sortBy, sumBy, truncate } = lodash;

/** The page as a whole. `main` is what its script brings up to date. */
export function renderPage(service: Service, asked: Asked) {
	const { form = {}, problem, q = '' } = asked;
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>Leads sandbox</title>
				<link rel="icon" href="data:," />
				<link rel="stylesheet" href="/page.css" />
				<noscript><meta http-equiv="refresh" content="5" /></noscript>
				<script src="/page.js" defer></script>
			</head>
			<body>
				<header>
					<h1>Leads sandbox</h1>
					<p>
						A leads service for trying things out, in memory. This page shows what n8n does to it,
						as it happens.
					</p>
					<div class="bar">
						<form method="post" action="/actions/create-lead" class="create">
							<label
								>Name
								<input
									name="name"
									autocomplete="off"
									placeholder="e.g. Contact A"
									value="${form.name}"
							/></label>
							<label
								>Phone
								<input
									name="phone"
									type="tel"
									autocomplete="off"
									placeholder="e.g. (11) 98888-7777"
									value="${form.phone}"
									${problem ? html` aria-invalid="true" aria-describedby="problem"` : ''}
							/></label>
							<button>Create a lead</button>
							${problem && html`<p id="problem" role="alert">${problem}</p>`}
						</form>
						<form role="search" class="search">
							<label
								>Find a lead
								<input
									name="q"
									type="search"
									value="${q}"
									placeholder="Name, phone, email, ID, tag"
							/></label>
						</form>
					</div>
				</header>
				${renderMain(service, asked)}
			</body>
		</html> `;
}

function renderMain(service: Service, asked: Asked) {
	const now = service.clock();
	const lead = service.store.leads.get(asked.lead ?? '');
	return html`<main>
		${board(service, asked, now)}
		${asked.lead && (lead ? story(service, lead, asked, now) : gone(asked))}
		<div class="below">
			${requests(service, now)}
			<div>${rateLimit(service, now)} ${people(service, asked, now)}</div>
		</div>
	</main>`;
}

// The pipeline

function board({ store }: Service, asked: Asked, now: number) {
	const found = findLeads(store, asked.q);
	const byStatus = groupBy(found, ({ status }) => status);
	const others = sortBy(Object.keys(byStatus).filter((status) => !statusOrder.includes(status)));
	const columns = [...statusOrder, ...others].map((status) => {
		const leads = byStatus[status] ?? [];
		const value = sumBy(leads, ({ estimatedValue }) => estimatedValue ?? 0);
		const cards = sortBy(leads, (lead) => -changedAt(lead, store)).slice(0, shown.cards);
		const more = leads.length - cards.length;
		return html`<section class="column" data-status="${status}" aria-label="${statusWords(status)}">
			<h3>${statusWords(status)} <span class="count">${count(leads.length)}</span></h3>
			<p class="quiet">
				<code>${status}</code>${value > 0 ? html` <span>${money(value)}</span>` : ''}
			</p>
			<ul>
				${cards.map((lead) => card(lead, store, asked, now))}
			</ul>
			${more > 0 ? html`<p class="quiet">and ${count(more)} more</p>` : ''}
		</section>`;
	});
	const title = asked.q
		? html`${count(found.length)} with “${truncate(asked.q, { length: 40 })}”`
		: html`${count(found.length)}`;
	return html`<section id="pipeline">
		<h2>Pipeline <small>${title}, last changed first</small></h2>
		<div id="board" tabindex="0" role="group" aria-label="Leads by status">${columns}</div>
	</section>`;
}

function findLeads(store: Store, search = ''): Lead[] {
	const leads = store.leads.values();
	const part = search.trim().toLowerCase();
	if (!part) return leads;
	return leads.filter(({ externalId, protocol, id, contactId, tags }) =>
		[externalId, protocol, id, store.contact(contactId)?.searchText, ...tags].some((text) =>
			text?.toLowerCase().includes(part),
		),
	);
}

const changedAt = (lead: Lead, store: Store) => store.historyOf(lead).at(-1)!.from;

function card(lead: Lead, store: Store, asked: Asked, now: number) {
	const contact = store.contact(lead.contactId);
	const at = changedAt(lead, store);
	const current = lead.id === asked.lead ? html` aria-current="true"` : '';
	const fresh = now - at < freshMs ? html` data-fresh` : '';
	return html`<li id="card-${lead.id}" ${fresh}>
		<a href="${link({ ...asked, lead: lead.id })}" ${current}>
			<strong>${truncate(leadName(lead, store), { length: 60 })}</strong>
			<span class="quiet"
				>${contact ? (contact.phone ?? contact.email ?? lead.externalId) : 'no contact'}</span
			>
			<span class="foot"
				><span>${lead.estimatedValue === null ? '' : money(lead.estimatedValue)}</span
				><span class="quiet">${age(at, now).slice(0, 10)}</span></span
			>
		</a>
	</li>`;
}

// The story of a lead

function story(service: Service, lead: Lead, asked: Asked, now: number) {
	const { store } = service;
	const contact = store.contact(lead.contactId);
	const facts: Array<[string, HtmlValue]> = [
		['Phone', contact?.phone],
		['Email', contact?.email],
		['Value', lead.estimatedValue === null ? null : money(lead.estimatedValue)],
		['Sold', lead.saleDate && dateWords(Date.parse(lead.saleDate))],
		['Notes', lead.notes],
		['Tags', lead.tags.join(', ')],
		['Source', lead.source],
		['Priority', lead.priority],
		['External ID', lead.externalId],
		['Protocol', lead.protocol],
		['ID', lead.id],
	];
	const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
	const events = eventsOf(lead, store);
	const earlier = events.length - shown.events;
	const won = lead.status === 'closed_won';
	return html`<section id="story" tabindex="-1" aria-labelledby="story-name">
		<a class="close" href="${link({ ...asked, lead: undefined })}">Close</a>
		<h2 id="story-name">${truncate(leadName(lead, store), { length: 80 })}</h2>
		<p><span class="chip" data-status="${lead.status}">${statusWords(lead.status)}</span></p>
		<dl>
			${known.map(
				([name, value]) =>
					html`<dt>${name}</dt>
						<dd>${value}</dd>`,
			)}
		</dl>
		${won
			? ''
			: html`<form method="post" action="/actions/win-lead">
					<input type="hidden" name="lead" value="${lead.id}" /><button>Mark as won</button>
				</form>`}
		<h3>What happened</h3>
		<ol>
			${earlier > 0 ? html`<li class="quiet">${count(earlier)} earlier</li>` : ''}${events
				.slice(-shown.events)
				.map((event) => renderEvent(event, now))}
		</ol>
	</section>`;
}

const gone = (asked: Asked) =>
	html`<section id="story" tabindex="-1" aria-label="Lead">
		<a class="close" href="${link({ ...asked, lead: undefined })}">Close</a>
		<p>This lead is not there any more.</p>
	</section>`;

/** Something that happened to a lead. */
interface LeadEvent {
	at: number;
	title: HtmlValue;
	text?: HtmlValue;
	by?: string;
}

const renderEvent = ({ at, title, text, by }: LeadEvent, now: number) =>
	html`<li>
		<p>${title}</p>
		${text ? html`<p>${text}</p>` : ''}
		<p class="quiet">${age(at, now)}${by ? html`, by ${by}` : ''}</p>
	</li>`;

/** Everything that is known to have happened to a lead, oldest first. */
function eventsOf(lead: Lead, store: Store): LeadEvent[] {
	const ofLead = ({ leadId }: { leadId: string | null }) => leadId === lead.id;
	const interactions = store.interactions.values().filter(ofLead);
	const conversations = store.conversations.values().filter(ofLead);
	const threads = new Set(map(conversations, 'id'));
	const messages = store.messages
		.values()
		.filter(({ conversationId }) => threads.has(conversationId));
	const by = (record: Lead | Interaction | Conversation | Message) => store.authorOf(record);
	const [first, ...changes] = store.historyOf(lead);
	const created: LeadEvent = { at: lead.createdMs, title: 'Lead created', by: by(lead) };
	return sortBy(
		[
			created,
			...changes.map((version, i) => ({
				at: version.from,
				title: changeWords([first, ...changes][i].lead, version.lead, store),
				by: version.by,
			})),
			...interactions.map((each) => ({
				at: each.createdMs,
				title: html`${capitalize(each.type.replaceAll('_', ' '))}${each.title && `: ${each.title}`}`,
				text: [each.description, pairs(each.metadata ?? {})].filter(Boolean).join(' · '),
				by: by(each),
			})),
			...conversations.map((each) => ({
				at: each.createdMs,
				title: 'Conversation started',
				text: pairs(each.extra),
				by: by(each),
			})),
			...messages.map((each) => ({
				at: each.createdMs,
				title: html`<q>${truncate(each.content, { length: 600 })}</q>`,
				text: [`Message, ${each.status}`, pairs(each.extra)].filter(Boolean).join(' · '),
				by: by(each),
			})),
		],
		({ at }) => at,
	);
}

/** What is different in the later version of a lead. */
function changeWords(before: Lead | null, after: Lead | null, store: Store): HtmlValue {
	if (!before || !after) return 'Lead deleted';
	const show = (lead: Lead, name: keyof Lead) => {
		if (name === 'contactId') return lead.contactId && leadName(lead, store);
		if (name === 'status') return statusWords(lead.status);
		if (name === 'saleDate') return lead.saleDate && dateWords(Date.parse(lead.saleDate));
		if (name === 'estimatedValue')
			return lead.estimatedValue === null ? '' : money(lead.estimatedValue);
		return String(lead[name] ?? '');
	};
	const words: Partial<Record<keyof Lead, string>> = {
		externalId: 'External ID',
		contactId: 'Contact',
		estimatedValue: 'Value',
		saleDate: 'Sale date',
	};
	const changed = (Object.keys(after) as Array<keyof Lead>).filter(
		(name) => String(before[name] ?? '') !== String(after[name] ?? ''),
	);
	if (changed.length === 0) return 'Written again, nothing changed';
	return changed.map((name, i) => {
		const [old, now] = [show(before, name), show(after, name)];
		return html`${i > 0 ? html`<br />` : ''}${words[name] ?? capitalize(name)}:
		${old ? html`<del>${old}</del> → ` : ''}${now || 'empty'}`;
	});
}

const pairs = (fields: Readonly<Record<string, unknown>>) =>
	Object.entries(fields)
		.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join(', ');

// The requests and the rate limit

function requests({ log, store }: Service, now: number) {
	const rows = lastGroups(log.requests).map((group) => requestRow(group, store, now));
	return html`<section>
		<h2>Last requests <small>${count(log.requests.length)} in all</small></h2>
		${rows.length === 0
			? html`<p class="quiet">
					None yet. Run a workflow in n8n with the credential of this sandbox.
				</p>`
			: html`<ol class="requests">
					${rows}
				</ol>`}
	</section>`;
}

/** Requests that are one row, newest first. `index` is that of the first one. */
interface RequestGroup {
	index: number;
	requests: LoggedRequest[];
}

/** The newest first. Reads of one kind in a row, such as the polls of a trigger, are one: they would push all else out. */
function lastGroups(requests: LoggedRequest[]): RequestGroup[] {
	const groups: RequestGroup[] = [];
	for (let index = requests.length - 1; index >= 0; index -= 1) {
		const request = requests[index];
		const group = groups.at(-1);
		if (group && isSameRead(group.requests[0], request)) {
			group.requests.push(request);
			group.index = index;
		} else if (groups.length === shown.requests) break;
		else groups.push({ index, requests: [request] });
	}
	return groups;
}

const isSameRead = (one: LoggedRequest, other: LoggedRequest) =>
	one.method === 'GET' &&
	one.route === other.route &&
	one.status === other.status &&
	one.key === other.key;

function requestRow({ index, requests }: RequestGroup, store: Store, now: number) {
	const [request, ...others] = requests;
	const { status, method, path, query, key, fault, body } = request;
	const result = status === null ? 'running' : status > 0 && status < 400 ? 'good' : 'bad';
	const asked = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
	const search = asked.length === 0 ? '' : `?${asked.join('&')}`;
	const json = body === undefined ? '' : JSON.stringify(body, null, 2);
	return html`<li id="request-${index}">
		<details id="details-${index}">
			<summary>
				<span class="words"
					>${truncate(requestWords(request, store), { length: 160 })}${others.length > 0
						? html` <span class="quiet">and ${count(others.length)} more like it</span>`
						: ''}</span
				>
				<span class="chip" data-result="${result}"
					>${outcomeWords(request)}${status ? ` · ${status}` : ''}</span
				>
				<span class="quiet">${age(request.at, now)}</span>
			</summary>
			<pre>
${method} ${path}${search}
key: ${key}${fault ? `\nmade to fail: ${fault}` : ''}${json &&
				`\n${truncate(json, { length: 4000 })}`}</pre
			>
		</details>
	</li>`;
}

function rateLimit(service: Service, now: number) {
	const { limiter, keyring, faults } = service;
	const { rpm, windowMs } = limiter.limit;
	const seconds = (ms: number) => `${Math.max(0, Math.ceil(ms / 1000))} s`;
	const counts = limiter.counts();
	const windows = keyring.list().flatMap(({ name }) => {
		const window = counts[name]?.at(-1);
		return window && window.resetsAt > now ? [{ name, ...window }] : [];
	});
	const coming = faults.list().reduce((sum, { times }) => sum + times, 0);
	const meters = windows.map(({ name, accepted, rejected, resetsAt }) => {
		const left = Math.max(0, rpm - accepted);
		const id = `rate-${name}`;
		return html`<div class="meter">
			<p id="${id}">
				Key <strong>${name}</strong>: ${count(left)} of ${count(rpm)} requests left, full again in
				${seconds(resetsAt - now)}${rejected
					? html`, <strong>${count(rejected)} refused</strong>`
					: ''}
			</p>
			<meter
				aria-labelledby="${id}"
				min="0"
				max="${rpm}"
				low="${rpm / 10}"
				high="${rpm / 4}"
				optimum="${rpm}"
				value="${left}"
			></meter>
		</div>`;
	});
	const rule =
		rpm === 0
			? 'There is no rate limit.'
			: `Each key may make ${count(rpm)} requests in ${seconds(windowMs)}.`;
	return html`<section>
		<h2>Rate limit</h2>
		${rpm === 0 ? '' : meters}
		<p class="quiet">${rule}${rpm > 0 && windows.length === 0 ? ' None was made just now.' : ''}</p>
		<form method="post" action="/actions/fail-next"><button>Fail the next request</button></form>
		${coming > 0
			? html`<p role="status"><strong>Requests that will fail: ${coming}.</strong></p>`
			: ''}
	</section>`;
}

// Contacts and conversations, also those without a lead

function people({ store }: Service, asked: Asked, now: number) {
	const newest = (size: number) => ({ order: 'desc', offset: 0, count: size }) as const;
	const contacts = store.contacts.select(newest(shown.contacts));
	const conversations = store.conversations.select(newest(shown.conversations));
	const contactRows = contacts.items.map(
		({ name, phone, email, createdMs }) =>
			html`<li>
				<strong>${name ?? phone ?? email ?? 'no name'}</strong>
				<span class="quiet"
					>${[phone, email, age(createdMs, now)].filter(Boolean).join(' · ')}</span
				>
			</li>`,
	);
	const conversationRows = conversations.items.map((conversation) => {
		const messages = store.messages.select(
			newest(1),
			({ conversationId }) => conversationId === conversation.id,
		);
		const lead = store.leads.get(conversation.leadId ?? '');
		const name = store.contact(conversation.contactId)?.name ?? 'nobody named';
		const last = messages.items[0]?.content;
		return html`<li>
			${lead
				? html`<a href="${link({ ...asked, lead: lead.id })}">${name}</a>`
				: html`<strong>${name}</strong>`}
			<span class="quiet"
				>${count(messages.total)}
				message${messages.total === 1 ? '' : 's'}${last
					? html`, last: <q>${truncate(last, { length: 80 })}</q>`
					: ''}</span
			>
		</li>`;
	});
	return html`<section>
			<h2>Newest contacts <small>of ${count(contacts.total)}</small></h2>
			<ul class="rows">
				${contactRows}
			</ul>
		</section>
		<section>
			<h2>Newest conversations <small>of ${count(conversations.total)}</small></h2>
			<ul class="rows">
				${conversationRows}
			</ul>
		</section>`;
}

// Words

function link({ lead, q }: Asked): string {
	const query = new URLSearchParams({ ...(q && { q }), ...(lead && { lead }) }).toString();
	return query ? `/?${query}` : '/';
}

const statusWords = (status: string) =>
	/^[a-z]+(_[a-z]+)*$/.test(status) ? capitalize(status.replaceAll('_', ' ')) : status;
const count = (number: number) => number.toLocaleString('en');
/** As Brazil writes it: R$ 1.500,00. */
const money = (value: number) =>
	`R$ ${value.toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

function age(at: number, now: number): string {
	const seconds = Math.max(0, Math.floor((now - at) / 1000));
	if (seconds < 60) return `${seconds} s ago`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
	return dateWords(at);
}

/** In UTC, as the service has it. */
function dateWords(ms: number): string {
	return Number.isNaN(ms)
		? 'no date'
		: `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
