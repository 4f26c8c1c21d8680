import { parseArgs } from 'node:util';

import {
	API_PREFIX,
	tidyApiKey,
	tidyBaseUrl,
} from '../nodes/IntegrationLeads/transport/baseUrl.ts';
import { ProbeError } from './error.mts';

const KEY_VARIABLE = 'INTEGRATION_LEADS_API_KEY';
/** Shorter than any key; hiding something so short would tear other texts apart. */
const SHORTEST_KEY = 8;

/** What the command line asks for; the base URL is without the API prefix, `write` allows to create records. */
export type Options = { baseUrl: string; apiKey: string; write: boolean };

export const usage = `Checks a live leads service against everything that this package assumes about it.

  npm run probe -- --base-url https://leads.example.com [--api-key KEY] [--write]

  --base-url URL   address of the service; ${API_PREFIX} is added
  --api-key KEY    a key of the service. Your shell keeps it and npm prints it: better put it into the
                   environment variable ${KEY_VARIABLE}.
  --write          also checks writes, on records that the probe creates (probe-…). It deletes its leads and
                   lists what cannot be deleted. No conversion is reported to advertising platforms: it sets
                   no sale date and closes no lead. It does add a message to a conversation of its own.
  --help           this text

Exit code: 0 nothing differs, 1 something differs or the service could not be checked, 2 wrong usage.
Without --write nothing is changed. Redirects are not followed, and the key is never printed.`;

/**
 * Reads the arguments (without node and script) and the environment.
 *
 * @returns undefined when only the help is wanted
 * @throws ProbeError with exit code 2; never with the key
 */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | undefined {
	const values = parse(args);
	if (values.help) return undefined;
	const baseUrl = tidy('--base-url', tidyBaseUrl, values['base-url']);
	const apiKey = tidy('--api-key', tidyApiKey, values['api-key'] ?? env[KEY_VARIABLE]);
	if (apiKey.length < SHORTEST_KEY) throw wrong('--api-key is too short. Copy it again.');
	return { baseUrl, apiKey, write: values.write ?? false };
}

/** A value as the credential of the node takes it. */
function tidy(flag: string, as: (value: unknown) => string, value: unknown): string {
	try {
		return as(value);
	} catch (error) {
		throw wrong(`${flag}: ${(error as Error).message}`);
	}
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

const wrong = (message: string) => new ProbeError(`${message}\nSee npm run probe -- --help`, 2);
