/** What is said to be left is what is left, however the probe ends. */
import { allScopes } from '../../openapi.mts';
import type { FaultRule } from '../../sandbox/faults.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import type { Variant } from '../../sandbox/variant.mts';
import type { Made } from '../../probe/survey/survey.mts';
import { command, probed, useSandbox } from './bench.mts';

const bench = useSandbox();

const KINDS = ['lead', 'contact', 'tag', 'interaction', 'conversation', 'message'] as const;

/** What the store holds, as `kind id`. */
function contents({ store }: Sandbox): string[] {
	return KINDS.flatMap((kind) =>
		[...store[`${kind}s`].values()].map(({ id }) => `${kind} ${id}`),
	).sort();
}

/** What is in the store and was not before. */
function remainder(before: string[]): string[] {
	const known = new Set(before);
	return contents(bench.sandbox).filter((each) => !known.has(each));
}

const named = (left: readonly Made[]) => left.map(({ kind, id }) => `${kind} ${String(id)}`).sort();
const kinds = (all: string[]) => all.map((each) => each.split(' ')[0]).sort();

test.each<Partial<Variant>>([{}, { record: 'named' }, { status: 204 }, { order: 'asc' }])(
	'when the service answers with %j',
	async (variant) => {
		const before = contents(bench.sandbox);
		bench.sandbox.controls.variant(variant);
		const { left } = await probed(bench.sandbox);
		expect(named(left)).toEqual(remainder(before));
		const made = 'contact conversation conversation interaction message tag tag';
		expect(kinds(named(left)).join(' ')).toBe(made);
	},
);

test('nobody else’s record is touched', async () => {
	const rest = ({ store }: Sandbox) =>
		KINDS.flatMap((kind) => [...store[`${kind}s`].values()]).map((each) => JSON.stringify(each));
	const before = rest(bench.sandbox);
	await probed(bench.sandbox);
	expect(rest(bench.sandbox)).toEqual(expect.arrayContaining(before));
});

const lost = { kind: 'reset', when: 'after' } as const;
const failing = { kind: 'status', status: 500, when: 'after' } as const;
const broken: FaultRule[] = [
	{ kind: 'reset', match: { path: '/conversations' } },
	{ ...lost, match: { method: 'POST', path: '/contacts' } },
	{ ...lost, match: { method: 'POST', path: '/leads' } },
	{ kind: 'truncated', when: 'after', match: { method: 'POST', path: '/sync' } },
	{ ...failing, match: { path: '/conversations' } },
	{ ...failing, match: { method: 'POST' }, times: 9 },
];

test.each(broken)('when it fails midway: %j', async (rule) => {
	const before = contents(bench.sandbox);
	bench.sandbox.controls.fault(rule);
	const { left, stopped } = await probed(bench.sandbox);
	expect(Boolean(stopped)).toBe(rule.kind !== 'status');
	const remains = remainder(before);
	expect(kinds(remains)).not.toContain('lead');
	// An entry without an id is a record that may exist: the answer with its id was lost.
	const sure = named(left.filter(({ id }) => id));
	const unsure = kinds(named(left.filter(({ id }) => !id)));
	expect(remains).toEqual(expect.arrayContaining(sure));
	const unidentified = kinds(remains.filter((each) => !sure.includes(each)));
	for (const kind of KINDS) {
		const count = (all: string[]) => all.filter((each) => each === kind).length;
		expect(count(unidentified)).toBeLessThanOrEqual(count(unsure));
	}
});

test('when it is cancelled', async () => {
	const before = contents(bench.sandbox);
	const cancel = new AbortController();
	bench.sandbox.controls.latency({ ms: 5 });
	const running = probed(bench.sandbox, { signal: cancel.signal });
	const asked = () => bench.sandbox.controls.requests().length;
	while (asked() < 25) await new Promise((resolve) => setTimeout(resolve, 2));
	cancel.abort();
	const { left, stopped } = await running;
	expect(stopped).toBe('Stopped.');
	expect(named(left)).toEqual(remainder(before));
	expect(kinds(named(left))).not.toContain('lead');
});

test('when the connection breaks while it cleans up', async () => {
	const before = contents(bench.sandbox);
	bench.sandbox.controls.fault({ kind: 'reset', match: { method: 'DELETE', path: '/sync/' } });
	const { left } = await probed(bench.sandbox);
	expect(named(left)).toEqual(remainder(before));
	expect(kinds(named(left)).filter((kind) => kind === 'lead')).toHaveLength(1);
});

test('a key that may not read leads believes that they are deleted', async () => {
	const before = contents(bench.sandbox);
	const scopes = allScopes.filter((scope) => scope !== 'leads:read');
	const { key } = bench.sandbox.controls.addKey({ scopes });
	const { left } = await probed(bench.sandbox, { apiKey: key });
	expect(kinds(named(left))).not.toContain('lead');
	expect(kinds(remainder(before))).not.toContain('lead');
});

test.each([
	['delete', 2, ['sync']],
	['read and delete', 2, ['sync', 'leads:read']],
])('leads that a key may not %s are said to be left', async (_, count, lacking) => {
	const before = contents(bench.sandbox);
	const scopes = allScopes.filter((scope) => !lacking.includes(scope));
	const { key } = bench.sandbox.controls.addKey({ scopes });
	const { url } = bench.sandbox;
	const { text, code } = await command(['--base-url', url, '--api-key', key, '--write']);
	const remains = remainder(before);
	expect(kinds(remains).filter((kind) => kind === 'lead')).toHaveLength(count);
	for (const each of remains) expect(text).toContain(each.split(' ')[1]);
	expect(text.match(/^ {2}lead .*probe-\w+/gm)).toHaveLength(count);
	expect(code).toBe(0);
});
