import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure, invalid, missing } from './failure.mts';
import { damage, firstHalf, type Fault } from './faults.mts';
import { checkedBody, checkedQuery } from './inputs.mts';
import { checkAccess, type ApiKey } from './keys.mts';
import { presentFailure, presentResult, type Answer } from './present.mts';
import { rateHeaders, tooMany } from './rateLimit.mts';
import type { KeyLabel } from './requestLog.mts';
import { apiPrefix, type Route } from './routes.mts';
import type { Service } from './service.mts';

/** How long what was written before a cut has to leave the machine, in milliseconds. */
const flushMs = 20;

/**
 * One request from its arrival to its answer: counted against the rate limit, perhaps hit by a
 * fault, checked for access, carried out, and answered in the way of the variant.
 */
export async function exchange(
	service: Service,
	route: Route | undefined,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const { clock, limiter, keyring, log, faults } = service;
	const { method } = request;
	const path = pathOf(request);
	const apiKey = keyring.find(request.headers.authorization);
	const standing = limiter.take(apiKey?.name);
	const arrived = clock();
	const entry = log.begin({
		at: arrived,
		method,
		path,
		route: route ? `${route.method} ${route.path}` : null,
		params: request.params as Record<string, string>,
		query: request.query as Record<string, unknown>,
		key: labelOf(apiKey, request),
		status: null,
		body: jsonOrText(request.body),
	});

	let fault: Fault | undefined;
	let answer: Answer | undefined;
	try {
		const delay = service.latency.ms + Math.random() * service.latency.jitterMs;
		if (delay) await sleep(delay);
		fault = standing.allowed ? faults.take(method, path) : undefined;
		entry.fault = fault?.kind;
		answer = standing.allowed
			? await answerWithFault(fault, request, () => carryOut(service, route, apiKey, request))
			: presentFailure(tooMany(standing, clock()));
	} finally {
		log.end();
	}

	entry.status = answer && fault?.kind !== 'reset' ? answer.status : 0;
	service.logger?.(`${method} ${request.url} ${entry.status} ${clock() - arrived} ms`);
	if (!answer) return reply.hijack();
	const headers = {
		Date: new Date(clock()).toUTCString(),
		...rateHeaders(standing),
		...answer.headers,
	};
	return send(reply, { ...answer, headers }, fault);
}

/** Undefined when the caller left during a delay, before anything was done. */
async function answerWithFault(
	fault: Fault | undefined,
	request: FastifyRequest,
	act: () => Answer,
): Promise<Answer | undefined> {
	if (!fault) return act();
	if (fault.kind === 'slow') {
		if (fault.when === 'after') {
			const answer = act();
			await sleep(fault.ms);
			return answer;
		}
		await sleep(fault.ms);
		return request.raw.socket.destroyed && fault.when === 'before' ? undefined : act();
	}
	if (fault.when === 'later') setTimeout(act, fault.ms);
	return damage(fault, fault.when === 'after' ? act() : undefined);
}

function carryOut(
	service: Service,
	route: Route | undefined,
	apiKey: ApiKey | undefined,
	request: FastifyRequest,
): Answer {
	const { store, variant } = service;
	try {
		if (!isInside(request)) throw missing(`${request.url} (paths begin with ${apiPrefix}):`);
		checkAccess(apiKey, route?.scope);
		if (!route) throw missing(`The operation ${request.method} ${pathOf(request)}`);
		const query = checkedQuery(route, request.query as Record<string, unknown>);
		const body = checkedBody(route, jsonBody(request));
		const params = request.params as Record<string, string>;
		const call = { params, query, body, store, variant };
		const result = store.actAs(`key ${apiKey?.name}`, () => route.run(call));
		return presentResult(result, variant, route.method !== 'GET');
	} catch (failure) {
		if (failure instanceof Failure) return presentFailure(failure);
		throw failure;
	}
}

async function send(reply: FastifyReply, answer: Answer, fault?: Fault): Promise<FastifyReply> {
	const { status, headers, text } = answer;
	const cuts = fault && ['reset', 'reset-after-headers', 'truncated', 'drip'].includes(fault.kind);
	// Otherwise Node adds one.
	if (!('Date' in headers)) reply.raw.sendDate = false;
	if (!cuts) return reply.code(status).headers(headers).send(text);

	reply.hijack();
	const { raw } = reply;
	if (fault.kind !== 'reset') {
		raw.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text ?? '') });
		if (fault.kind === 'drip') return await drip(reply, text, fault.ms);
		if (fault.kind === 'truncated') raw.write(firstHalf(answer));
		else raw.flushHeaders();
		await sleep(flushMs);
	}
	if (fault.kind === 'truncated') raw.socket?.destroy();
	else raw.socket?.resetAndDestroy();
	return reply;
}

async function drip(reply: FastifyReply, text = '', ms: number): Promise<FastifyReply> {
	for (const byte of text) {
		if (reply.raw.destroyed) return reply;
		reply.raw.write(byte);
		await sleep(ms);
	}
	reply.raw.end();
	return reply;
}

const isInside = ({ url }: FastifyRequest) => url.startsWith(`${apiPrefix}/`);

function pathOf(request: FastifyRequest): string {
	const [path] = request.url.split('?');
	return isInside(request) ? path.slice(apiPrefix.length) : path;
}

function labelOf(apiKey: ApiKey | undefined, request: FastifyRequest): KeyLabel {
	const labels: KeyLabel[] = ['full', 'readOnly', 'revoked'];
	const label = labels.find((name) => name === apiKey?.name);
	return label ?? (request.headers.authorization ? 'other' : 'none');
}

/** The JSON body of a request, whose text fastify hands over as it came. Throws 400. */
function jsonBody(request: FastifyRequest): unknown {
	if (!request.body) return undefined;
	if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
		throw invalid('The Content-Type of a body must be application/json');
	}
	return parseJson(request.body);
}

/** A text as JSON; nothing is undefined. Throws 400. */
export function parseJson(text: unknown): unknown {
	if (!text) return undefined;
	try {
		return JSON.parse(String(text));
	} catch {
		throw invalid('The body is not valid JSON');
	}
}

function jsonOrText(body: unknown): unknown {
	try {
		return parseJson(body);
	} catch {
		return body;
	}
}
