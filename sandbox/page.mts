import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Controls } from './controls.mts';
import { parse } from './inputs.mts';
import { renderPage, type Asked } from './pageView.mts';
import type { Service } from './service.mts';
import { upsertLead } from './upsert.mts';
import { z } from 'zod';

const asset = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** Texts of a query or a form; what is missing is blank. */
const texts = z.record(z.string().or(z.array(z.string()).transform(([first]) => first)));

/** A page for people: what is in the service, what it was asked, and buttons that make something happen. */
export function addPage(app: FastifyInstance, service: Service, controls: Controls): void {
	const assets = { 'page.css': 'text/css', 'page.js': 'text/javascript' };
	for (const [name, type] of Object.entries(assets)) {
		app.get(`/${name}`, (_, reply) => reply.type(`${type}; charset=utf-8`).send(asset(name)));
	}
	const show = (asked: Asked) => renderPage(service, asked);
	app.addHook('onSend', (_, reply, payload, done) => {
		// What people and programs wrote is escaped; and if it were not, no script in it would run.
		if (String(reply.getHeader('content-type')).startsWith('text/html')) {
			void reply.header('Content-Security-Policy', "default-src 'self'; img-src data:");
		}
		done(null, payload);
	});
	app.get('/', (request, reply) => {
		const { lead, q } = parse(texts, request.query);
		return reply.type('text/html; charset=utf-8').send(show({ lead, q }));
	});
	app.post('/actions/create-lead', (request, reply) => {
		const form = formOf(request.body);
		const created = createLead(service, form);
		if ('problem' in created) {
			const page = show({ form, problem: created.problem });
			return reply.code(422).type('text/html; charset=utf-8').send(page);
		}
		return reply.redirect(`/?lead=${created.id}`, 303);
	});
	app.post('/actions/win-lead', (request, reply) => {
		const { lead = '' } = formOf(request.body);
		winLead(service, lead);
		return reply.redirect(`/?lead=${encodeURIComponent(lead)}`, 303);
	});
	app.post('/actions/fail-next', (_, reply) => {
		controls.fault({ kind: 'status', status: 503 });
		return reply.redirect('/', 303);
	});
}

const formOf = (body: unknown) => Object.fromEntries(new URLSearchParams(String(body ?? '')));

/** Makes a lead as the service does for a request, so that a known phone is a known contact. */
function createLead(
	{ store, clock }: Service,
	form: Record<string, string>,
): { id: string } | { problem: string } {
	const name = form.name?.trim() || undefined;
	const typed = form.phone?.trim();
	const phone = typed ? toInternational(typed) : undefined;
	if (!name && !typed) return { problem: 'Type a name, a phone or both.' };
	if (typed && !phone) {
		return {
			problem:
				'This is no phone with an area code. Type it as in (11) 98888-7777, or with + and the country code.',
		};
	}
	store.author = 'this page';
	try {
		const externalId = `page-${clock()}-${store.leads.size + 1}`;
		return upsertLead(store, { externalId, source: 'whatsapp', contact: { name, phone } }).lead;
	} finally {
		store.author = undefined;
	}
}

/** A phone as people in Brazil type it, or with a country code; undefined if it is neither. */
function toInternational(typed: string): string | undefined {
	if (!/^[+\d\s().-]+$/.test(typed)) return undefined;
	const digits = typed.replace(/\D/g, '').replace(/^00/, '+').replace(/^0/, '');
	if (digits.startsWith('+') || typed.startsWith('+')) {
		const number = digits.replace('+', '');
		return /^\d{8,15}$/.test(number) ? `+${number}` : undefined;
	}
	if (/^55\d{10,11}$/.test(digits)) return `+${digits}`;
	return /^[1-9]{2}\d{8,9}$/.test(digits) ? `+55${digits}` : undefined;
}

function winLead({ store, clock }: Service, id: string): void {
	const lead = store.leads.get(id);
	if (!lead) return;
	store.author = 'this page';
	try {
		store.changeLead(lead, {
			status: 'closed_won',
			saleDate: new Date(clock()).toISOString(),
			estimatedValue: lead.estimatedValue ?? 1500,
		});
	} finally {
		store.author = undefined;
	}
}
