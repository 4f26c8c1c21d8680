import { z } from 'zod';
import { Failure } from './failure.mts';
import { jsonAnswer, type Answer } from './present.mts';

/** Something that shall go wrong. */
export const faultSchema = z
	.object({
		/** Which requests; without members, any. */
		match: z
			.object({
				method: z.string().optional(),
				/** Starting with `/`: how the path begins (without the API prefix); else a regex. */
				path: z.string().optional(),
				/** The first such request to be hit, counted from 1; the ones after it follow. */
				nth: z.number().int().positive().default(1),
			})
			.strict()
			.default({}),
		/** How many requests are hit. */
		times: z.number().int().positive().default(1),
		/**
		 * `before`: nothing was done; `after`: it was done, but the answer is damaged; `later`: it is done `ms` after the
		 * request came, whatever becomes of the answer.
		 */
		when: z.enum(['before', 'after', 'later']).default('before'),
		kind: z.enum([
			/** `status`, with `body` (default: an error body) and `headers`. */
			'status',
			/** The connection is reset before anything is answered. */
			'reset',
			/** The connection is reset after the headers. */
			'reset-after-headers',
			/** The connection closes in the middle of the body. */
			'truncated',
			/** A complete HTTP answer with half of the JSON. */
			'truncated-quiet',
			/** Right, but `ms` later. */
			'slow',
			/** Right, but byte by byte, each `ms` after the one before. */
			'drip',
			/** 200 with a web page. */
			'html',
			/** 200 without a body. */
			'empty',
			/** 200 with an error body. */
			'success-false',
			/** `status` (302) to `url`. */
			'redirect',
		]),
		status: z.number().int().min(200).max(599).optional(),
		body: z.unknown(),
		headers: z.record(z.string()).default({}),
		ms: z.number().nonnegative().default(1000),
		url: z.string().default('/'),
	})
	.strict();

/** A fault as it is asked for. */
export type FaultRule = z.input<typeof faultSchema>;
/** A fault with everything filled in. */
export type Fault = z.output<typeof faultSchema>;

/** The faults that are still to come. */
export class FaultBook {
	private pending: Array<{ fault: Fault; skip: number; left: number }> = [];

	add(fault: Fault): void {
		this.pending.push({ fault, skip: fault.match.nth - 1, left: fault.times });
	}

	clear(): void {
		this.pending = [];
	}

	/** The pending faults; `times` is how often they will still strike. */
	list(): Fault[] {
		return this.pending.map(({ fault, left }) => ({ ...fault, times: left }));
	}

	/** The fault that hits this request, used up once. The first that was added goes first. */
	take(method: string, path: string): Fault | undefined {
		for (const entry of this.pending) {
			if (!matches(entry.fault, method, path)) continue;
			if (entry.skip-- > 0) continue;
			entry.left--;
			this.pending = this.pending.filter(({ left }) => left > 0);
			return entry.fault;
		}
		return undefined;
	}
}

function matches({ match }: Fault, method: string, path: string): boolean {
	if (match.method && match.method.toUpperCase() !== method) return false;
	if (!match.path) return true;
	return match.path.startsWith('/') ? path.startsWith(match.path) : RegExp(match.path).test(path);
}

const page = '<!doctype html><html><body><h1>Welcome</h1></body></html>';
const asFailure = (status: number) =>
	new Failure(status, status < 500 ? 'REQUEST_FAILED' : 'INTERNAL_ERROR', 'A fault of the sandbox');
/** What is cut in half when nothing was carried out that could be answered. */
const standIn = jsonAnswer(200, { success: true, data: { id: 'cut-short', status: 'open' } });

/**
 * The answer that a fault makes of the right one (undefined: nothing was carried out). Faults of
 * the connection are not seen here: of those, it gives the answer that will not arrive whole.
 */
export function damage(fault: Fault, answer: Answer | undefined): Answer {
	const { kind, status, body, headers, url } = fault;
	const whole = answer?.text ? answer : standIn;
	switch (kind) {
		case 'status': {
			const code = status ?? 500;
			if (typeof body === 'string') return { status: code, headers, text: body };
			return jsonAnswer(code, body ?? asFailure(code).body, headers);
		}
		case 'html':
			return { status: 200, headers: { 'Content-Type': 'text/html', ...headers }, text: page };
		case 'empty':
			return { status: 200, headers };
		case 'success-false':
			return jsonAnswer(200, body ?? asFailure(500).body, headers);
		case 'redirect':
			return { status: status ?? 302, headers: { Location: url, ...headers } };
		case 'truncated-quiet':
			return { ...whole, text: firstHalf(whole) };
		default:
			return whole;
	}
}

/** What of an answer gets through when it is cut. */
export function firstHalf({ text = '' }: Answer): string {
	return text.slice(0, Math.ceil(text.length / 2));
}
