import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyError } from 'fastify';
import { addControlRoutes } from './controlRoutes.mts';
import { createControls, type Controls } from './controls.mts';
import { exchange } from './exchange.mts';
import { Failure } from './failure.mts';
import { defaultKeys } from './keys.mts';
import { addPage } from './page.mts';
import { apiPrefix, routes } from './routes.mts';
import { createService, type ServiceOptions } from './service.mts';
import type { Store } from './store.mts';

/**
 * The leads service, run locally and in memory, as its specification describes it. Comments cite
 * that document as "spec" with the number of the part.
 *
 *   routes.mts       the operations of openapi.yaml; operations/ has what each of them does
 *   exchange.mts     one request from its arrival to its answer
 *   variant.mts      the ways to answer where the spec is silent; present.mts carries them out
 *   store.mts        the records, and what leads have been; seed.mts those it starts with
 *   keys, rateLimit  who may ask what, and how often
 *   faults.mts       what goes wrong
 *   controls.mts     changes all that, also over HTTP under /_sandbox
 *   page.mts         shows all that in a browser: pageView.mts is the page, pageWords.mts its words
 *
 * `tsx sandbox/main.mts --help` runs it by hand.
 */
export interface SandboxOptions extends ServiceOptions {
	/** 0 (the default) = any that is free. */
	port?: number;
}

/** A running sandbox. */
export interface Sandbox {
	/** The base URL, without the API prefix. */
	url: string;
	port: number;
	/** A key with all scopes, one with all `:read` scopes, and one that is revoked. */
	keys: { full: string; readOnly: string; revoked: string };
	store: Store;
	controls: Controls;
	close(): Promise<void>;
}

/** The largest body taken, in bytes: room for a big sync. */
const bodyLimit = 64 * 1024 * 1024;

/** Starts the service. Rejects when it cannot listen there. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0 } = options;
	const host = '127.0.0.1';
	const service = createService(options);
	const controls = createControls(service);
	const app = Fastify({
		bodyLimit,
		exposeHeadRoutes: false,
		// Closing does not wait for clients that keep connections.
		forceCloseConnections: true,
		// An externalId may be long.
		routerOptions: { maxParamLength: 5000 },
		// A path that cannot be decoded is answered like one that does not exist.
		frameworkErrors: (_, request, reply) => void exchange(service, undefined, request, reply),
	});
	// Bodies are parsed by the exchange, after the checks that come first.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_, text, done) => done(null, text));
	app.setErrorHandler<FastifyError>(({ statusCode = 500, message }, _, reply) =>
		reply.code(statusCode).send(new Failure(statusCode, 'INTERNAL_ERROR', message).body),
	);
	app.setNotFoundHandler((request, reply) => exchange(service, undefined, request, reply));
	for (const route of routes) {
		app.route({
			method: route.method,
			url: apiPrefix + route.path.replace(/\{(\w+)\}/g, ':$1'),
			handler: (request, reply) => exchange(service, route, request, reply),
		});
	}
	addControlRoutes(app, controls);
	addPage(app, service, controls);
	await app.listen({ port, host });
	const bound = (app.server.address() as AddressInfo).port;
	return {
		url: `http://${host}:${bound}`,
		port: bound,
		keys: { ...defaultKeys },
		store: service.store,
		controls,
		close: () => app.close(),
	};
}
