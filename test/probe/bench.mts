/** The probe against the sandbox, over HTTP. */
import { run } from '../../probe/cli.mts';
import { probe, type Outcome } from '../../probe/probe.mts';
import type { Sandbox, SandboxOptions } from '../../sandbox/server.mts';
import { useSandbox as useSandboxOf } from '../sandbox/client.mts';

/** A sandbox with more leads than the largest page, unless the options say otherwise. */
export const useSandbox = (options: SandboxOptions = {}) => useSandboxOf({ seed: 230, ...options });

/** What the probe finds with the full key, or another one. */
export async function probed(
	{ url, keys }: Sandbox,
	{ write = true, apiKey = keys.full, signal = undefined as AbortSignal | undefined } = {},
): Promise<Outcome> {
	return await probe({ baseUrl: url, apiKey, write }, () => {}, signal);
}

/** Ids of the assumptions that turned out so. */
export const idsOf = ({ findings }: Outcome, outcome: Outcome['findings'][number]['outcome']) =>
	findings.filter((each) => each.outcome === outcome).map(({ assumption }) => assumption.id);

/** Runs the command; `text` is all it printed. */
export async function command(args: string[], env: NodeJS.ProcessEnv = {}) {
	const lines: string[] = [];
	const code = await run(args, env, (line) => lines.push(line));
	return { code, lines, text: lines.join('\n') };
}
