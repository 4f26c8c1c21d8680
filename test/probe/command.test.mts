/** What the command prints, and its exit code. */
import { allScopes } from '../../openapi.mts';
import { onlyLong } from '../helpers/long.mts';
import { hideKey, shorten } from '../../probe/secrets.mts';
import { run } from '../../probe/cli.mts';
import { probe, type Outcome } from '../../probe/probe.mts';
import { useSandbox } from '../sandbox/client.mts';

const KEY_VARIABLE = 'INTEGRATION_LEADS_API_KEY';
/** More leads than the largest page. */
const bench = useSandbox({ seed: 230 });
const idsOf = ({ findings }: Outcome, outcome: Outcome['findings'][number]['outcome']) =>
	findings.filter((each) => each.outcome === outcome).map(({ assumption }) => assumption.id);

/** Runs the command; `text` is all it printed. */
async function command(args: string[], env: NodeJS.ProcessEnv = {}) {
	const lines: string[] = [];
	const code = await run(args, env, (line) => lines.push(line));
	return { code, lines, text: lines.join('\n') };
}
const flags = (...more: string[]) => {
	const { url, keys } = bench.sandbox;
	return ['--base-url', `${url}/api/v1/integration/`, '--api-key', keys.full, ...more];
};

const findings = (lines: string[]) =>
	lines.filter((line) => /^(holds|differs|could not tell) /.test(line));

test('with --write everything is judged, and holds', async () => {
	const { code, lines } = await command(flags('--write'));
	const outcomes = findings(lines).map((line) => line.slice(0, 16).trim());
	expect(new Set(outcomes)).toEqual(new Set(['holds']));
	expect(lines).toContain(`${outcomes.length} hold, 0 differ, 0 could not be determined`);
	expect(code).toBe(0);
	expect(bench.sandbox.controls.requests().length).toBeLessThanOrEqual(80);
	expect(bench.sandbox.controls.traffic().maxConcurrent).toBe(1);
	// A sale is reported to advertisers, and what the probe created goes.
	expect(JSON.stringify(bench.sandbox.controls.requests())).not.toContain('closed_won');
	expect(bench.sandbox.store.leads.size).toBe(230);
});

test('no key and no email is printed, in whatever form it comes back', () => {
	const key = 'other "key"';
	const forms = [key, JSON.stringify(key), encodeURIComponent(key)].join(' ');
	expect(hideKey(forms, key)).toBe('[key] "[key]" [key]');
	expect(shorten('sk_live_1 of ana@example.com')).toBe('[key] of [email]');
});

test('without it nothing is written, and what writing does is one line', async () => {
	const { code, lines } = await command(flags());
	const methods = bench.sandbox.controls.requests().map(({ method }) => method);
	expect(new Set(methods)).toEqual(new Set(['GET']));
	expect(findings(lines).every((line) => line.startsWith('holds '))).toBe(true);
	expect(lines.filter((line) => line.includes('(--write)'))).toEqual([
		expect.stringMatching(/^\d+ assumptions about writes were not checked/),
	]);
	expect(code).toBe(0);
});

test('a difference is a line with its evidence, and exit code 1', async () => {
	bench.sandbox.controls.variant({ list: 'items', order: 'asc' });
	const { code, lines } = await command(flags());
	expect(findings(lines).filter((line) => line.startsWith('differs'))).toEqual([
		expect.stringMatching(
			/^differs +stated 4\.1 +.*data\.leads \(not relied on\) \| .*data has items, pagination/,
		),
		expect.stringMatching(/^differs +assumed +Other lists/),
		expect.stringMatching(/^differs +assumed +.*newest first.*\| oldest first$/),
	]);
	expect(lines).toContainEqual(expect.stringContaining('3 differ (3 not relied on'));
	expect(code).toBe(1);
});

test('whose leads they are is not printed', async () => {
	const { controls, store } = bench.sandbox;
	controls.variant({ envelope: 'bare', record: 'named', order: 'asc', ignorePage: true });
	// By email, then by phone.
	controls.fault({ kind: 'status', status: 404, match: { path: '/contacts/lookup' }, times: 2 });
	const { text } = await command(flags());
	expect(text).toMatch(/^differs .*lookup\?email=… answered 404/m);
	expect(text).toMatch(/^differs .*lookup\?phone=… answered 404/m);
	for (const { name, email, phone } of store.contacts.values()) {
		for (const value of [name, email, phone]) if (value) expect(text).not.toContain(value);
	}
});

test('a second page without leads differs', async () => {
	const match = { path: '/leads', nth: 4 };
	const body = { success: true, data: { leads: [] } };
	bench.sandbox.controls.fault({ kind: 'status', status: 200, body, match });
	const { url: baseUrl, keys } = bench.sandbox;
	const outcome = await probe({ baseUrl, apiKey: keys.full, write: false }, () => {});
	expect(idsOf(outcome, 'differs')).toContain('page-respected');
});

test('what the documentation does not show is listed', async () => {
	bench.sandbox.controls.createLead({ status: 'parked', priority: 'medium', source: 'api' });
	const { lines } = await command(flags());
	expect(lines).toContainEqual(expect.stringMatching(/^ {2}status of leads: .*parked/));
});

test.each(['leads:read leads:write', allScopes.join(' '), ...onlyLong(allScopes)])(
	'a key without %s makes nothing differ',
	async (scopes) => {
		const lacking = scopes.split(' ');
		const rest = allScopes.filter((scope) => !lacking.includes(scope));
		const { key } = bench.sandbox.controls.addKey({ scopes: rest });
		const { url: baseUrl } = bench.sandbox;
		const outcome = await probe({ baseUrl, apiKey: key, write: true }, () => {});
		expect(idsOf(outcome, 'differs')).toEqual([]);
		const named = outcome.findings.filter(({ seen }) =>
			seen.includes(`lacks the scope ${lacking[0]}`),
		);
		expect(new Set(named.map((each) => each.outcome))).toEqual(new Set(['could not tell']));
	},
);

describe('an account without leads', () => {
	const empty = useSandbox({ seed: 0 });
	test.each([false, true])('write: %s', async (write) => {
		const { url: baseUrl, keys } = empty.sandbox;
		const outcome = await probe({ baseUrl, apiKey: keys.full, write }, () => {});
		expect(idsOf(outcome, 'differs')).toEqual([]);
		if (!write) expect(idsOf(outcome, 'could not tell')).toContain('page-more');
	});
});

const https = '--base-url https://leads.example.com';
/** Arguments, with an underscore for a space inside of one. */
test.each([
	['', '--base-url: Base URL is empty'],
	['--base-url http://10.0.0.1.example.com', 'must start with https://'],
	[https, '--api-key: API Key is empty'],
	[`${https} --api-key Bearer_short`, 'too short'],
	[`${https} --api-key one_key_two`, '--api-key: API Key contains a space'],
	[`${https} --api-kye secret-key`, '--api-kye was not'],
	['secret-key', 'Only flags'],
	['--write=secret-key', '--write was not'],
])('%j is wrong usage: %s', async (args, message) => {
	const words = args === '' ? [] : args.split(' ').map((word) => word.replaceAll('_', ' '));
	const { code, text } = await command(words);
	expect([code, text]).toEqual([2, expect.stringContaining(message)]);
	expect(text).not.toContain('secret-key');
});

test('the key may come from the environment; a flag comes first', async () => {
	const { url, keys } = bench.sandbox;
	const args = ['--base-url', url];
	expect((await command(args, { [KEY_VARIABLE]: ` Bearer ${keys.full} ` })).code).toBe(0);
	const env = { [KEY_VARIABLE]: keys.full };
	const { text } = await command([...args, '--api-key', keys.revoked], env);
	expect(text).toContain('has been revoked');
});

test('a host that nobody listens on', async () => {
	const args = ['--base-url', 'http://127.0.0.1:1', '--api-key', 'sk_test_nobody_listens'];
	const { code, text } = await command(args);
	expect([code, text]).toEqual([1, expect.stringContaining('did not answer (ECONNREFUSED)')]);
	expect(text).not.toContain('sk_test_nobody_listens');
});
