import type { FastifyInstance } from 'fastify';
import lodash from 'lodash';
import type { Controls } from './controls.mts';
import type { Contact, Conversation, Lead } from './records.mts';
import type { LoggedRequest } from './requestLog.mts';
import type { Service } from './service.mts';

/** How many records and requests are shown. */
const shown = { leads: 12, contacts: 6, conversations: 6, requests: 20 };
const { escape, truncate } = lodash;
const newest = (count: number) => ({ order: 'desc', offset: 0, count }) as const;

/** What the buttons do, by the last part of their path. */
const actions = {
	'create-lead': { label: 'Create a lead', run: createLead },
	'win-lead': { label: 'Win the newest lead that is not won', run: winLead },
	'fail-next': { label: 'Fail the next request', run: failNext },
};

/** A page for people: what is in the service, what it was asked, and buttons that make something happen. */
export function addPage(app: FastifyInstance, service: Service, controls: Controls): void {
	app.get('/', (_, reply) => reply.type('text/html; charset=utf-8').send(render(service)));
	for (const [name, { run }] of Object.entries(actions)) {
		app.post(`/actions/${name}`, (_, reply) => {
			run(service, controls);
			return reply.redirect('/', 303);
		});
	}
}

function createLead({ store, clock }: Service, controls: Controls): void {
	const number = String(store.contacts.size + 1).padStart(6, '0');
	const { id } = store.createContact({
		name: `Contact ${number}`,
		email: `contact.${number}@example.com`,
		phone: `+5511 9 ${number.slice(0, -4).padStart(4, '0')} ${number.slice(-4)}`,
	});
	const externalId = `page-${clock()}`;
	controls.createLead({ externalId, contactId: id, source: 'whatsapp', tags: ['newsletter'] });
}

function winLead({ store, clock }: Service, controls: Controls): void {
	const { items } = store.listLeads({}, newest(Infinity));
	const lead = items.find(({ status }) => status !== 'closed_won');
	if (!lead) return;
	controls.changeLead({
		id: lead.id,
		status: 'closed_won',
		saleDate: new Date(clock()).toISOString(),
		estimatedValue: lead.estimatedValue ?? 1500,
	});
}

function failNext(_: Service, controls: Controls): void {
	controls.fault({ kind: 'status', status: 503 });
}

function render(service: Service): string {
	const { store, log, clock } = service;
	const now = clock();
	const leads = store.listLeads({}, newest(shown.leads));
	const contacts = store.contacts.select(newest(shown.contacts));
	const conversations = store.conversations.select(newest(shown.conversations));
	const requests = log.requests.slice(-shown.requests).reverse();
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Leads sandbox</title>
<link rel="icon" href="data:,">
<noscript><meta http-equiv="refresh" content="3"></noscript>
<style>${style}</style>
</head>
<body>
<h1>Leads sandbox</h1>
<p>A leads service for trying things out, in memory. This page shows what n8n has done to it, as it happens.</p>
<form method="post">${Object.entries(actions)
		.map(([name, { label }]) => `<button formaction="/actions/${name}">${label}</button>`)
		.join('')}</form>
<main>
<p>${rateLine(service, now)}${faultLine(service)}</p>
${section('Leads', leads.total, leadColumns(service, now), leads.items)}
${section('Contacts', contacts.total, contactColumns(now), contacts.items)}
${section('Conversations', conversations.total, conversationColumns(service, now), conversations.items)}
${section('Requests', log.requests.length, requestColumns(now), requests)}
</main>
<script>${script}</script>
</body>
</html>
`;
}

function rateLine({ limiter, keyring }: Service, now: number): string {
	const { rpm } = limiter.limit;
	if (rpm === 0) return 'No rate limit.';
	const windows = limiter.counts();
	return keyring
		.list()
		.map(({ name }) => windows[name]?.at(-1) && { name, window: windows[name].at(-1)! })
		.filter((each) => each !== undefined)
		.filter(({ window }) => window.resetsAt > now)
		.map(({ name, window }) => {
			const seconds = Math.ceil((window.resetsAt - now) / 1000);
			const left = Math.max(0, rpm - window.accepted);
			return `Rate limit of the key “${escape(name)}”: ${left} of ${rpm} requests left for ${seconds} s, ${window.rejected} refused.`;
		})
		.concat(`Each key may make ${rpm} requests a minute.`)
		.join(' ');
}

function faultLine({ faults }: Service): string {
	const count = faults.list().reduce((sum, { times }) => sum + times, 0);
	return count === 0 ? '' : ` <strong>Requests that will fail: ${count}.</strong>`;
}

type Columns<T> = Array<[title: string, cell: (record: T) => unknown]>;

/** A table whose cells are escaped here, and nowhere else. */
function section<T>(title: string, total: number, columns: Columns<T>, records: T[]): string {
	const count = total > records.length ? `newest ${records.length} of ${total}` : String(total);
	const head = columns.map(([name]) => `<th>${name}</th>`).join('');
	const row = (record: T) =>
		`<tr>${columns.map(([, cell]) => `<td>${escape(text(cell(record)))}</td>`).join('')}</tr>`;
	return `<h2>${title} <small>${count}</small></h2>
<table><thead><tr>${head}</tr></thead><tbody>${records.map(row).join('\n')}</tbody></table>`;
}

const text = (value: unknown) =>
	truncate(value === null || value === undefined ? '' : String(value), { length: 120 });

function leadColumns({ store }: Service, now: number): Columns<Lead> {
	const contact = ({ contactId }: Lead) => store.contact(contactId);
	return [
		['Name', (lead) => contact(lead)?.name],
		['Phone', (lead) => contact(lead)?.phone],
		['Email', (lead) => contact(lead)?.email],
		['Status', ({ status }) => status],
		['Source', ({ source }) => source],
		['Value', ({ estimatedValue }) => estimatedValue],
		['Tags', ({ tags }) => tags.join(', ')],
		['External ID', ({ externalId }) => externalId],
		['Protocol', ({ protocol }) => protocol],
		['Created', ({ createdMs }) => age(createdMs, now)],
	];
}

const contactColumns = (now: number): Columns<Contact> => [
	['Name', ({ name }) => name],
	['Phone', ({ phone }) => phone],
	['Email', ({ email }) => email],
	['Created', ({ createdMs }) => age(createdMs, now)],
];

function conversationColumns({ store }: Service, now: number): Columns<Conversation> {
	const messages = ({ id }: Conversation) =>
		store.messages.select({
			...newest(1),
			match: ({ conversationId }) => conversationId === id,
		});
	return [
		['With', ({ contactId }) => store.contact(contactId)?.name],
		['Messages', (conversation) => messages(conversation).total],
		['Last message', (conversation) => messages(conversation).items[0]?.content],
		['Created', ({ createdMs }) => age(createdMs, now)],
	];
}

const requestColumns = (now: number): Columns<LoggedRequest> => [
	['When', ({ at }) => age(at, now)],
	['Method', ({ method }) => method],
	['Path', ({ path, query }) => path + queryOf(query)],
	['Status', ({ status }) => (status === 0 ? 'none' : (status ?? '…'))],
	['Key', ({ key }) => key],
	['Fault', ({ fault }) => fault],
	['Body', ({ body }) => (body === undefined ? '' : JSON.stringify(body))],
];

function queryOf(query: Record<string, unknown>): string {
	const entries = Object.entries(query);
	return entries.length === 0
		? ''
		: `?${entries.map(([name, value]) => `${name}=${String(value)}`).join('&')}`;
}

function age(at: number, now: number): string {
	const seconds = Math.max(0, Math.floor((now - at) / 1000));
	if (seconds < 60) return `${seconds} s ago`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
	return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

const style = `
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
body { margin: 1.5rem; }
h1, h2 { margin: 1rem 0 .4rem; }
h2 { font-size: 1.1rem; }
small { font-weight: normal; opacity: .7; }
button { font: inherit; margin-right: .5rem; padding: .3rem .8rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid color-mix(in srgb, currentcolor 20%, transparent); padding: .2rem .6rem .2rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; white-space: nowrap; }
`;

// Without it, the page reloads as a whole.
const script = `
setInterval(async () => {
	if (document.hidden || !getSelection().isCollapsed) return;
	const response = await fetch('/').catch(() => undefined);
	if (!response?.ok) return;
	const page = new DOMParser().parseFromString(await response.text(), 'text/html');
	document.querySelector('main').replaceWith(page.querySelector('main'));
}, 1000);
`;
