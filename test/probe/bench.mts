/** The probe against the sandbox, over HTTP. */
import { run } from '../../probe/cli.mts';
import { probe, type Outcome } from '../../probe/probe.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';

/** More than the largest page. */
const SEED = 230;

/** Starts a sandbox for the tests of the surrounding block; before each of them it is as at the start. */
export function useSandbox(options: SandboxOptions = {}): { sandbox: Sandbox } {
	const bench = {} as { sandbox: Sandbox };
	beforeAll(async () => void (bench.sandbox = await startSandbox({ seed: SEED, ...options })));
	beforeEach(() => bench.sandbox.controls.reset());
	afterAll(() => bench.sandbox.close());
	return bench;
}

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
