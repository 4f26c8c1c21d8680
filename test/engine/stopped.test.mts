/** An execution is stopped: what was on its way counts as sent, and the next run says how far it came. */
import type { IDataObject } from 'n8n-workflow';

import { map } from 'lodash';

import { by, called, useLab, writes } from '../helpers/lab.mts';

const EIGHT = Array.from({ length: 8 }, (_, n) => ({ n }));

const lab = useLab({ seed: 5, rpm: 0 });
let leadId: string;

beforeEach(() => {
	leadId = lab.sandbox.controls.createLead({}).id;
});

const note = (): IDataObject =>
	called('interaction.create', {
		leadId: by('id', leadId),
		type: 'NOTE',
		title: '=Item {{ $json.n }}',
	});
const push = called('sync.push', {
	lead: {
		mappingMode: 'defineBelow',
		value: { externalId: '=e{{ $json.n }}', protocol: '=ML-AA11-BB2{{ $json.n }}' },
	},
	options: { batchSize: 2 },
});

const sent = () => writes(lab.sandbox).length;

/** Runs it until the service has carried out so many writes, and stops it before the last one is answered. */
async function stopAt(nth: number, parameters: IDataObject, input: IDataObject[] = EIGHT) {
	const match = { method: 'POST', nth };
	lab.sandbox.controls.fault({ kind: 'slow', when: 'after', ms: 500, match });
	const before = sent();
	return await lab.engine.run(parameters, {
		input,
		onStart: (cancel) => {
			const stop = () => (sent() - before >= nth ? cancel() : setTimeout(stop, 10));
			stop();
		},
	});
}

/** What n8n would give the next try. */
const retried = async (
	parameters: IDataObject,
	stored: Awaited<ReturnType<typeof stopAt>>['stored'],
) => await lab.engine.run(parameters, { input: EIGHT, retryOf: stored });

const titles = async () =>
	writes(lab.sandbox)
		.map(({ body }) => (body as { title?: string }).title)
		.sort();

test('Retry looks for what was on its way, and sends the others once', async () => {
	const { stored } = await stopAt(3, note());
	const { items, error, hints } = await retried(note(), stored);
	expect([error, items.length]).toEqual([undefined, 8]);
	expect(await titles()).toEqual(EIGHT.map(({ n }) => `Item ${n}`));
	const texts = map(hints, 'message');
	expect(texts).toContainEqual(expect.stringMatching(/^2 of 8 items were done by an earlier try/));
	expect(texts.filter((text) => text.startsWith('Execution'))).toEqual([]);
});

test('Retry does not send a batch again that was on its way, if that may do harm', async () => {
	const { stored } = await stopAt(2, push);
	const { error } = await retried(push, stored);
	expect(error?.message).toContain('may have been recorded');
});

const tag = called('lead.addTags', { leadId: by('id', '={{ $json.id }}'), tags: 'VIP' });
const leadsOf = (count: number) =>
	Array.from({ length: count }, () => ({ id: lab.sandbox.controls.createLead({}).id }));
const sentences = async (parameters: IDataObject, input: IDataObject[]) =>
	map((await lab.engine.run(parameters, { input })).hints, 'message').filter((text) =>
		text.startsWith('Execution'),
	);

test('the next run says once how far the last execution came', async () => {
	const input = leadsOf(20);
	await stopAt(6, tag, input);
	expect(await sentences({ ...tag, options: { onlyCheck: true } }, input)).toEqual([]);
	expect(await sentences(tag, input)).toEqual([
		expect.stringMatching(
			/^Execution \S+ was stopped when \d+ of 20 items of this node were finished\. The first that was not is item \d+; it and some of those after it may have been sent as well\. If this run had the same items, it sent them all again:/,
		),
	]);
	expect(await sentences(tag, input)).toEqual([]);
});

test.each<[what: string, parameters: IDataObject, count: number]>([
	['a single item', tag, 1],
	['what was only checked', { ...tag, options: { onlyCheck: true } }, 20],
])('nothing is said of %s', async (_, parameters, count) => {
	const input = leadsOf(count);
	const match = { path: '/leads' };
	lab.sandbox.controls.fault({ kind: 'slow', ms: 300, match, times: 100 });
	await lab.engine.run(parameters, {
		input,
		onStart: (cancel) => {
			const { controls } = lab.sandbox;
			const stop = () => (controls.traffic().inFlight > 0 ? cancel() : setTimeout(stop, 10));
			stop();
		},
	});
	lab.sandbox.controls.clearFaults();
	expect(await sentences(tag, input)).toEqual([]);
});

test.each([
	['that the service refuses', 'Item 0'],
	['with a mistake', ''],
])('an item %s is no longer open', async (_, title) => {
	const { controls } = lab.sandbox;
	const match = { method: 'POST' };
	if (title) controls.fault({ kind: 'status', status: 422, match });
	controls.fault({ kind: 'slow', when: 'after', ms: 500, match: { ...match, nth: 12 } });
	const input = Array.from({ length: 20 }, (_each, n) => ({ title: n ? `Item ${n}` : title }));
	const parameters = { ...note(), title: '={{ $json.title }}' };
	await lab.engine.run(parameters, {
		input,
		onError: 'continueRegularOutput',
		onStart: (cancel) => {
			const stop = () => (sent() >= 12 ? cancel() : setTimeout(stop, 10));
			stop();
		},
	});
	const [said] = await sentences(parameters, input.slice(1));
	expect(said).toMatch(/The first that was not is item [1-9]\d?\b/);
	expect(said).not.toMatch(/is item 1;/);
});
