import type { FastifyInstance } from 'fastify';
import type { Controls } from './controls.mts';
import { parseJson } from './exchange.mts';
import { Failure } from './failure.mts';

/** Where the controls are reached over HTTP. */
export const controlPrefix = '/_sandbox';

/** Method and explanation of every control; POST takes its argument as a JSON body. */
const table: Record<keyof Controls, readonly ['GET' | 'POST', string]> = {
	state: ['GET', 'How many leads there are, and the keys'],
	requests: ['GET', 'The requests so far: what was asked, with which kind of key, what came back'],
	traffic: ['GET', 'How many requests are being answered, and were at most at the same time'],
	clearRequests: ['POST', 'Forget the requests so far'],
	rates: ['GET', 'Requests accepted and rejected in each rate-limit window, by key'],
	limit: ['POST', 'Change the rate limit: {"rpm": 100, "windowMs": 60000}; rpm 0 = none'],
	latency: ['POST', 'Make every request take longer: {"ms": 200, "jitterMs": 50}'],
	variant: ['POST', 'Change how the service answers: {"record": "named", "status": 200}'],
	fault: ['POST', 'Let something go wrong: {"match": {"path": "/leads"}, "kind": "reset"}'],
	clearFaults: ['POST', 'Forget the faults still to come'],
	addKey: ['POST', 'Add a key: {"scopes": ["leads:read"], "name": "mine"}'],
	createLead: ['POST', 'Make a lead past all rules: {"status": "open", "createdAt": "2026-01-31"}'],
	changeLead: ['POST', 'Change a lead past all rules: {"id": "…", "status": "closed_won"}'],
	deleteLead: ['POST', 'Delete a lead: {"id": "…"}'],
	reset: ['POST', 'Bring everything back to the start'],
};

/** Makes every control an HTTP call, without a key and outside the rate limit. */
export function addControlRoutes(app: FastifyInstance, controls: Controls): void {
	const names = Object.keys(table) as Array<keyof Controls>;
	app.get(controlPrefix, () =>
		Object.fromEntries(
			names.map((name) => [`${table[name][0]} ${controlPrefix}/${name}`, table[name][1]]),
		),
	);
	for (const name of names) {
		// Every control checks its argument itself, so that it may come from anywhere.
		const control = controls[name] as (argument: unknown) => unknown;
		app.route({
			// POST calls every control, for clients that do not know which.
			method: [...new Set([table[name][0], 'POST'])],
			url: `${controlPrefix}/${name}`,
			handler: (request, reply) => {
				try {
					return reply.send(control(parseJson(request.body)) ?? { done: true });
				} catch (failure) {
					if (!(failure instanceof Failure)) throw failure;
					return reply.code(failure.status).send(failure.body);
				}
			},
		});
	}
}
