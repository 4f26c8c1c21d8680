import { isIPv4 } from 'node:net';
import { parseArgs } from 'node:util';

import { ProbeProblem } from './problem.mts';

/** The fixed prefix of all paths (head of the spec). */
export const API_PREFIX = '/api/v1/integration';
const KEY_VARIABLE = 'INTEGRATION_LEADS_API_KEY';
/** Shorter than any key; hiding something so short would tear other texts apart. */
const SHORTEST_KEY = 8;

/** What the command line asks for. */
export interface Options {
	/** Without the API prefix and without a slash at the end. */
	baseUrl: string;
	apiKey: string;
	/** Whether records may be created. */
	write: boolean;
}

export const usage = `Checks a live leads service against everything that this package assumes about it.

  npm run probe -- --base-url https://leads.example.com [--api-key KEY] [--write]

  --base-url URL   address of the service; ${API_PREFIX} is added
  --api-key KEY    a key of the service. It is then in the history of your shell, and npm shows it with
                   the command. Better: put it into the environment variable ${KEY_VARIABLE}.
  --write          also checks what writing does, on records that the probe creates (probe-…). It deletes its
                   leads; what cannot be deleted is listed at the end. It sets no sale date and closes
                   no lead, so that no conversion is reported to advertising platforms. It does add a message
                   to a conversation with a contact of its own.
  --help           this text

Exit code: 0 nothing differs, 1 something differs or the service could not be checked, 2 wrong usage.
Without --write nothing is changed. Redirects are not followed, and the key is never printed.`;

/**
 * Reads the arguments (without node and script) and the environment.
 *
 * @returns undefined when only the help is wanted
 * @throws ProbeProblem with exit code 2; never with the key
 */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | undefined {
	const values = parse(args);
	if (values.help) return undefined;
	return {
		baseUrl: tidyBaseUrl(values['base-url'] ?? ''),
		apiKey: tidyApiKey(values['api-key'] ?? env[KEY_VARIABLE] ?? ''),
		write: values.write ?? false,
	};
}

function parse(args: string[]) {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean' } as const;
	const options = { 'base-url': text, 'api-key': text, write: flag, help: flag };
	try {
		return parseArgs({ args, options }).values;
	} catch (error) {
		// Only flags are repeated: any other word may be the key.
		const [, name] = /'(--?[a-z-]+)/.exec((error as Error).message) ?? [];
		throw wrong(name ? `${name} was not understood.` : 'Only flags are understood.');
	}
}

function wrong(message: string): ProbeProblem {
	return new ProbeProblem(`${message}\nSee npm run probe -- --help`, 2);
}

function tidyBaseUrl(text: string): string {
	if (!text.trim()) throw wrong('--base-url is missing.');
	const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw wrong('--base-url takes a whole address, such as https://leads.example.com');
	}
	if (url.username || url.password || /[?#]/.test(text)) {
		throw wrong('--base-url takes an address without user name, password, "?" and "#".');
	}
	if (url.protocol === 'http:' && !isPrivate(url.hostname)) {
		throw wrong(
			'--base-url must start with https://, because http:// would send the key unencrypted. Only local and private hosts may use http://.',
		);
	}
	const path = url.pathname.replace(/\/+$/, '');
	const base = path.endsWith(API_PREFIX) ? path.slice(0, -API_PREFIX.length) : path;
	return url.origin + base.replace(/\/+$/, '');
}

/** This machine, private addresses, and names that only private networks resolve. */
function isPrivate(host: string): boolean {
	if (isIPv4(host)) return /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host);
	return host === '[::1]' || /^[a-z0-9-]+$|\.(localhost|local|test|internal)$/.test(host);
}

function tidyApiKey(text: string): string {
	const key = text.trim().replace(/^Bearer(\s+|$)/i, '');
	if (!key) throw wrong(`--api-key is missing, and ${KEY_VARIABLE} is not set.`);
	if (/[^\x21-\x7e]/.test(key) || key.length < SHORTEST_KEY) {
		throw wrong('The API key is too short, or holds a character that no key has. Copy it again.');
	}
	return key;
}
