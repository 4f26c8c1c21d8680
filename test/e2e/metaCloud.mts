/**
 * Stands in for Meta's Cloud API: refuses what its pages refuse, and counts what it takes without delivering it. The pages are
 * named beside the rules; "others" is read in other projects. WA is https://developers.facebook.com/documentation/business-messaging/whatsapp
 */
import lodash from 'lodash';

import type { StandInAnswer, StandInRequest, StandIns } from '../../scripts/lib/stand-ins.mts';

const MESSAGES = /^\/v26\.0\/100000000000001\/messages$/;
/** Where the webhook is registered. */
const SUBSCRIPTIONS = '/v19.0/app-1/subscriptions';

type Json = Record<string, unknown>;

type Request = StandInRequest<Json>;

const isText = (value: unknown) => typeof value === 'string' && value !== '';

/** What a request must fulfil, and the status of its refusal otherwise. */
const RULES: Record<string, [holds: (request: Request) => boolean, refusal: number]> = {
	// WA/support/error-codes (15 May 2026), 190
	key: [({ headers }) => headers.authorization === 'Bearer access-token', 401],
	// WA/messages/text-messages, messaging_product and to
	to: [
		({ json }) => json.messaging_product === 'whatsapp' && /^\d{8,15}$/.test(String(json.to)),
		400,
	],
	// WA/messages/text-messages, text.body
	text: [({ json }) => isText(lodash.get(json, 'text.body')), 400],
};

const refusal = (code: number, message: string): StandInAnswer => ({
	status: 400,
	body: { error: { message, type: 'OAuthException', code, fbtrace_id: 'AbCdEfGhIjK' } },
});

export class MetaCloud {
	/** What reached people, oldest first. */
	readonly delivered: Json[] = [];
	/** The rules that requests broke. */
	readonly refused: string[] = [];
	/** The subscription of the webhook. */
	registered: Json | undefined = undefined;
	/** Nobody with one of these numbers gets anything: 131026 (others). */
	readonly unreachable = new Set<unknown>();
	/** So many requests from now on are answered with 503. */
	failing = 0;

	constructor(standIns: StandIns) {
		standIns.serve('graph.facebook.com', (request: Request) => this.answer(request));
	}

	private answer(request: Request): StandInAnswer {
		const { method, path, json } = request;
		if (!path.endsWith('/messages')) return this.webhook(request);
		if (method !== 'POST' || !MESSAGES.test(path)) return { status: 404, body: {} };
		if (this.failing > 0) {
			this.failing -= 1;
			return { status: 503, body: {} };
		}
		const broken = Object.entries(RULES).find(([, [holds]]) => !holds(request));
		if (broken) {
			const [rule, [, status]] = broken;
			this.refused.push(rule);
			return { status, body: { error: { message: `Refused by the rule "${rule}"` } } };
		}
		const { to } = json;
		if (this.unreachable.has(to)) return refusal(131026, 'Message undeliverable');
		this.delivered.push({ to, text: lodash.get(json, 'text.body') });
		return { body: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.ANSWER' }] } };
	}

	private webhook({ method, path, json }: Request): StandInAnswer {
		if (path.endsWith('/oauth/access_token')) return { body: { access_token: 'app-token' } };
		if (path !== SUBSCRIPTIONS) return refusal(100, `Unsupported request: ${method} ${path}`);
		if (method === 'POST') this.registered = json;
		return { body: method === 'GET' ? { data: [] } : { success: true } };
	}
}
