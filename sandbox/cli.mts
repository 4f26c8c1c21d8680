import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { SandboxOptions } from './server.mts';
import { variantSchema, type Variant } from './variant.mts';

/** What the command line asks for. */
export interface Command {
	help: boolean;
	quiet: boolean;
	options: SandboxOptions;
}

/** A flag that is not understood; the message says what to do. */
export class UsageError extends Error {}

/** What a member of the variant may be, the default first. */
function choices(schema: z.ZodDefault<z.ZodTypeAny>): unknown[] {
	const inner = schema.removeDefault();
	const preset: unknown = schema.parse(undefined);
	if (inner instanceof z.ZodEnum) return inner.options as unknown[];
	if (inner instanceof z.ZodUnion) {
		return (inner.options as Array<z.ZodLiteral<unknown>>).map(({ value }) => value);
	}
	return inner instanceof z.ZodBoolean ? [preset, !preset] : [preset, '…'];
}

/** How the command is used. */
export const usage = `Runs the leads service locally, in memory.

  --port 3100          where it listens; 0 takes any free port
  --host 127.0.0.1     on which address
  --seed 1000          how many leads there are at the start
  --rpm 1000           requests per minute and key; 0 = no limit
  --latency 0          milliseconds that each request takes
  --variant key=value,key=value
                       how it answers where the specification is silent (first = default):
${Object.entries(variantSchema.shape)
	.map(([key, schema]) => `                         ${key}=${choices(schema).join('|')}`)
	.join('\n')}
  -q, --quiet          do not show requests
  --help               this text

What it holds, what it was asked, faults, other answers: GET /_sandbox shows the controls.`;

/** Reads the arguments (without node and script). Throws a UsageError. */
export function readCommand(args: string[]): Command {
	const { values } = parse(args);
	return {
		help: values.help ?? false,
		quiet: values.quiet ?? false,
		options: {
			port: whole('port', values.port ?? '3100', 65_535),
			host: values.host ?? '127.0.0.1',
			seed: whole('seed', values.seed ?? '1000', 1_000_000),
			rpm: whole('rpm', values.rpm ?? '1000', 1_000_000),
			latencyMs: whole('latency', values.latency ?? '0', 600_000),
			variant: variantOf(values.variant ?? ''),
		},
	};
}

function parse(args: string[]) {
	const value = { type: 'string' } as const;
	const options = { port: value, host: value, seed: value, rpm: value, latency: value };
	const flags = { help: { type: 'boolean' }, quiet: { type: 'boolean', short: 'q' } } as const;
	try {
		return parseArgs({ args, options: { ...options, variant: value, ...flags } });
	} catch (error) {
		throw new UsageError(`${(error as Error).message}\n--help lists the flags.`);
	}
}

function whole(flag: string, text: string, max: number): number {
	if (/^\d+$/.test(text) && Number(text) <= max) return Number(text);
	throw new UsageError(`--${flag} takes a whole number up to ${max}, not "${text}".`);
}

/** `record=named,status=200` as an object; numbers and booleans become what they look like. */
function variantOf(text: string): Partial<Variant> {
	const pairs = text.split(',').filter(Boolean);
	const members = pairs.map((pair) => {
		const [key, value = ''] = pair.split('=');
		return [key.trim(), /^(\d+|true|false)$/.test(value) ? JSON.parse(value) : value.trim()];
	});
	const result = variantSchema.safeParse(Object.fromEntries(members));
	if (result.success) return result.data;
	const [{ path, message }] = result.error.issues;
	throw new UsageError(`--variant ${path.join('')}: ${message}\n--help lists the keys.`);
}
