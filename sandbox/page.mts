import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import lodash from 'lodash';
import type { Controls } from './controls.mts';
import { renderPage, type Asked } from './pageView.mts';
import type { Service } from './service.mts';
import { upsertLead } from './upsert.mts';

/** What the page loads, by its address. */
const ASSETS = {
	'/page.css': 'page.css',
	'/page.js': 'page.js',
	'/idiomorph.js': '../node_modules/idiomorph/dist/idiomorph.esm.js',
};
/** Whom the page names as the author of what its buttons do. */
const AUTHOR = 'this page';

/** A page for people: what is in the service, what it was asked, and buttons that make something happen. */
export function addPage(app: FastifyInstance, service: Service, controls: Controls): void {
	for (const [address, file] of Object.entries(ASSETS)) {
		const type = file.endsWith('.css') ? 'text/css' : 'text/javascript';
		const asset = join(import.meta.dirname, file);
		app.get(address, (_, reply) => reply.type(`${type}; charset=utf-8`).send(readFileSync(asset)));
	}
	const show = (reply: FastifyReply, asked: Asked, problem?: string) =>
		reply
			.type('text/html; charset=utf-8')
			// What people and programs wrote is escaped; and if it were not, no script in it would run.
			.header('Content-Security-Policy', "default-src 'self'; img-src data:")
			.send(renderPage(service, asked, problem));

	app.get('/', (request, reply) => show(reply, fieldsOf(request.url.split('?')[1])));
	app.post('/actions/create-lead', (request, reply) => {
		const form = fieldsOf(request.body);
		const created = createLead(service, form);
		if ('problem' in created) return show(reply.code(422), form, created.problem);
		return reply.redirect(`/?lead=${created.id}`, 303);
	});
	app.post('/actions/win-lead', (request, reply) => {
		const { lead = '' } = fieldsOf(request.body);
		winLead(service, lead);
		return reply.redirect(`/?lead=${encodeURIComponent(lead)}`, 303);
	});
	app.post('/actions/fail-next', (_, reply) => {
		controls.fault({ kind: 'status', status: 503 });
		return reply.redirect('/', 303);
	});
}

/** The fields of a form or a query, without blanks around them. */
function fieldsOf(encoded: unknown): Asked {
	const fields = new URLSearchParams(encoded ? String(encoded) : '');
	return lodash.mapValues(Object.fromEntries(fields), (value) => value.trim());
}

/** Makes a lead as the service does for a request, so that a known phone is a known contact. */
function createLead(
	{ store, clock }: Service,
	{ name, phone: typed }: Asked,
): { id: string } | { problem: string } {
	const phone = typed && toInternational(typed);
	if (!name && !typed) return { problem: 'Type a name, a phone or both.' };
	if (typed && !phone) {
		return {
			problem:
				'This is no phone with an area code. Type it as in (11) 98888-7777, or with + and the country code.',
		};
	}
	const externalId = `page-${clock()}-${store.leads.size + 1}`;
	const contact = { name: name || undefined, phone: phone || undefined };
	const lead = { externalId, source: 'whatsapp', contact };
	return store.actAs(AUTHOR, () => upsertLead(store, lead)).lead;
}

/** A phone as people in Brazil type it, or with a country code; undefined if it is neither. */
function toInternational(typed: string): string | undefined {
	const digits = typed.replace(/[\s().-]/g, '').replace(/^00/, '+');
	if (/^\+\d{8,15}$/.test(digits)) return digits;
	const [, national] = /^0?(?:55)?([1-9]{2}\d{8,9})$/.exec(digits) ?? [];
	return national && `+55${national}`;
}

function winLead({ store, clock }: Service, id: string): void {
	const lead = store.leads.get(id);
	if (!lead) return;
	const saleDate = new Date(clock()).toISOString();
	const estimatedValue = lead.estimatedValue ?? 1500;
	store.actAs(AUTHOR, () =>
		store.changeLead(lead, { status: 'closed_won', saleDate, estimatedValue }),
	);
}
