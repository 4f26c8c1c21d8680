/** The example "WhatsApp message → lead": its Code nodes, run as n8n runs them, over the payloads of every service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expectation, kindsOf, payload, services, type Service } from '../e2e/payloads.mts';

type Json = Record<string, unknown>;
interface Item {
	json: Json;
}
interface Node {
	name: string;
	parameters: { jsCode?: string; assignments?: { assignments: Array<{ value: string }> } };
}

const FILE = join(__dirname, '../../examples/whatsapp-message-to-lead.json');
const { nodes } = JSON.parse(readFileSync(FILE, 'utf8')) as { nodes: Node[] };

/** A Code node as a function of its input and of the output of other nodes. */
function codeOf(name: string): (input: Item[], others?: Record<string, Item[]>) => Item[] {
	const source = nodes.find((node) => node.name === name)?.parameters.jsCode ?? '';
	const code = new Function('$input', '$', source) as (...args: unknown[]) => Item[];
	const allOf = (items: Item[]) => ({ all: () => structuredClone(items) });
	return (input, others = {}) => code(allOf(input), (other: string) => allOf(others[other]));
}

const whoIsIt = codeOf('Who is it?');
const CONTENT = { phone: '5511970000001', id: 'M1', text: 'Hello', newPhone: '5511970000002' };

/** What the trigger of a service passes on. */
function received(service: Service, ...bodies: Json[]): Item[] {
	if (service !== 'Meta') return bodies.map((body) => ({ json: { body } }));
	const changes = bodies.flatMap(({ entry }) => entry as Array<{ changes: Json[] }>);
	return changes.flatMap((each) =>
		each.changes.map(({ field, value }) => ({ json: { ...(value as Json), field } })),
	);
}

/** As the node "Each message" does. */
const NINTH_DIGIT = nodes
	.find(({ name }) => name === 'Each message')
	?.parameters.assignments?.assignments[0].value.replace(/^=\{\{(.*)\}\}$/, 'return ($1)');
const numberOf = new Function('$json', NINTH_DIGIT ?? '') as (json: Json) => string;
const withNinthDigit = ({ json }: Item): Item => ({ json: { ...json, number: numberOf(json) } });

const read = (service: Service, ...bodies: Json[]): Item[] =>
	codeOf(`Read ${service}`)(received(service, ...bodies)).map(withNinthDigit);

/** What becomes of payloads when these rows are in the table of people. */
function results(events: Item[], people: Json[] = []): Json[] {
	const known = people.map((json) => ({ json }));
	// n8n outputs one empty item when no row is found.
	const found = known.length > 0 ? known : [{ json: {} }];
	return whoIsIt(found, { 'Each message': events }).map(({ json }) => json);
}

const say = (service: Service, kind: string, content: Json = {}) =>
	payload(service, kind, { ...CONTENT, ...content });
const hear = (service: Service, kind: string, people: Json[] = [], content: Json = {}) =>
	results(read(service, say(service, kind, content)), people);

const LEAD = `whatsapp-${CONTENT.phone}`;
const USER = `BR.1${CONTENT.phone}`;
const ROW = { id: 1, lead: LEAD, leadId: 'L1', number: CONTENT.phone, hiddenId: USER };

describe.each(services)('%s', (service) => {
	it.each(kindsOf(service))('%s', (kind) => {
		const expected = expectation(service, kind, CONTENT);
		const [event, ...more] = read(service, say(service, kind));
		expect(more).toEqual([]);
		if (!expected) {
			expect(event).toBeUndefined();
			return;
		}
		const { answer = true, ad, person, unknown = false, ...fields } = expected;
		const isMessage = fields.kind === undefined;
		const number = CONTENT.phone;
		expect(event.json).toMatchObject({ kind: 'message', ...(isMessage && { number }), ...fields });
		const people = isMessage ? [] : [ROW];
		const [result] = results([event], people);
		expect(result === undefined).toBe(unknown);
		if (unknown) return;
		expect(result.answer).toBe(isMessage && answer);
		expect(result.silence === '').toBe(result.answer);
		if (ad && ad !== 'none') expect(result.note).toMatchObject({ metadata: ad });
		else expect(result.note).toBeUndefined();
		const lead = person ?? event.json.person ?? number;
		if (isMessage) expect(result.lead).toBe(`whatsapp-${String(lead)}`);
	});
});

describe('one person stays one lead', () => {
	const numbered = { lead: LEAD, leadId: 'L1', number: CONTENT.phone, hiddenId: '' };
	const both = { ...numbered, hiddenId: USER };
	const hidden = { lead: 'whatsapp-BR.X', leadId: 'L2', number: '', hiddenId: USER };

	it.each([
		['an ID comes with the known number', 'text of a username with a number', numbered],
		['the number is hidden now', 'text without a number', both],
		['the number comes with the known ID', 'text of a username with a number', hidden],
		['the number is shared by our button', 'number shared by our button', hidden],
		['the number changed', 'change of number', numbered],
		['the number of a person whose number is hidden changed', 'change of number', hidden],
		['the ID changed', 'change of user ID', both],
	])('%s', (_, kind, row) => {
		const [result, ...more] = hear('Meta', kind, [{ id: 1, ...row }]);
		expect(more).toEqual([]);
		const { lead, leadId } = row;
		const phoneIsNew = result.number !== row.number;
		expect(result).toMatchObject({ lead, leadId, isNew: false, addPhone: phoneIsNew });
		// The next message is found by either ID.
		const next = [{ ...result, id: 1 }];
		const byNumber = { phone: result.number, lid: 'another', id: 'M2' };
		const byUser = { lid: String(result.hiddenId).slice('BR.'.length), id: 'M3' };
		if (result.number) expect(hear('Meta', 'text', next, byNumber)).toMatchObject([{ lead }]);
		expect(hear('Meta', 'text without a number', next, byUser)).toMatchObject([{ lead }]);
	});

	it('in one delivery too', () => {
		const deliveries = ['text without a number', 'number shared by our button', 'text'].map(
			(kind, i) => say('Meta', kind, { id: `M${i}` }),
		);
		const all = results(read('Meta', ...deliveries));
		expect(new Set(all.map(({ lead }) => lead))).toEqual(new Set([`whatsapp-${USER}`]));
		expect(all.map(({ isNew }) => isNew)).toEqual([true, false, false]);
		expect(all.map(({ addPhone }) => addPhone)).toEqual([false, true, false]);
		expect(all.every(({ save }) => save)).toBe(true);
	});

	it('of two rows that turn out to be one person, the older one is taken', () => {
		const rows = [hidden, numbered].map((row, index) => ({ id: 2 - index, ...row }));
		expect(hear('Meta', 'text of a username with a number', rows)).toMatchObject([{ lead: LEAD }]);
	});

	it('nobody who is no lead changes a number', () => {
		expect(hear('Meta', 'change of number')).toEqual([]);
	});
});

describe('what the flow does next', () => {
	const known = { ...ROW, recent: 'M0' };

	it('leaves out what is delivered again, in another delivery or in the same one', () => {
		const message = say('Evolution', 'text');
		expect(results(read('Evolution', message, message))).toHaveLength(1);
		expect(hear('Evolution', 'text', [{ ...known, recent: 'M0 M1' }])).toEqual([]);
	});

	it('remembers the last ten messages of a person', () => {
		const recent = Array.from({ length: 10 }, (_, i) => `R${i}`).join(' ');
		const [result] = hear('Evolution', 'text', [{ ...known, recent }]);
		const ids = String(result.recent).split(' ');
		expect([ids.length, ids[0], ids.at(-1)]).toEqual([10, 'R1', 'M1']);
	});

	it('is silent after a human wrote, in this delivery or in the last days', () => {
		const events = [
			...read('Evolution', say('Evolution', 'own message on the phone', { id: 'M1' })),
			...read('Evolution', say('Evolution', 'text', { id: 'M2' })),
		];
		const [human, message] = results(events);
		expect([human.answer, message.answer, message.save]).toEqual([false, false, true]);
		const at = (ms: number) => new Date(Date.now() + ms).toISOString();
		const until = (ms: number) => [{ ...known, silentUntil: at(ms) }];
		expect(hear('Evolution', 'text', until(60_000))).toMatchObject([{ answer: false }]);
		expect(hear('Evolution', 'text', until(-60_000))).toMatchObject([{ answer: true }]);
	});

	it('lets only what is answered be the last message', () => {
		const rows = [{ ...known, lastMessage: 'M0' }];
		expect(hear('Meta', 'text', rows)).toMatchObject([{ lastMessage: 'wamid.M1' }]);
		expect(hear('Meta', 'unsupported', rows)).toMatchObject([{ lastMessage: 'M0' }]);
	});

	it.each([
		['Hello', false, ''],
		['*ML-AB12-CD34*', true, 'ML-AB12-CD34'],
		['from ml-ab12.', true, 'ml-ab12'],
		['Code: X-1', true, ''],
		['HTML-5', true, ''],
	])('sends the lead of a known person again only for a code: %s', (text, save, code) => {
		expect(hear('Meta', 'text', [known], { text })).toMatchObject([{ save, code }]);
	});

	it('asks for the number once, and only where it is hidden', () => {
		expect(hear('Meta', 'text without a number')).toMatchObject([{ askForNumber: true }]);
		expect(hear('Meta', 'text')).toMatchObject([{ askForNumber: false }]);
		const row = { id: 1, lead: 'L', leadId: 'L1', number: '', hiddenId: USER };
		expect(hear('Meta', 'text without a number', [row])).toMatchObject([{ askForNumber: false }]);
		expect(hear('Evolution', 'text without a number')).toMatchObject([{ askForNumber: false }]);
	});

	it('makes no lead of a message without a sender, and names it', () => {
		const message = { id: 'M1', type: 'text', text: { body: 'Hello' } };
		const change = { field: 'messages', value: { contacts: null, messages: [message] } };
		const [result] = results(read('Meta', { entry: [{ changes: [change] }] }));
		expect(result).toMatchObject({ kind: 'unreadable', error: 'It names no sender' });
		expect(result).not.toHaveProperty('lead');
	});

	it('answers the message before one that is not answered, in the same delivery', () => {
		const kinds = ['text', 'unsupported'].map((kind, i) => say('Meta', kind, { id: `M${i}` }));
		const ids = results(read('Meta', ...kinds)).map(({ lastMessage }) => lastMessage);
		expect(ids).toEqual(['wamid.M0', 'wamid.M0']);
	});

	it('ends a run in which something failed with who and why', () => {
		const failed = [
			{ json: { lead: LEAD, error: 'The lead is gone', message: 'Create it' } },
			{ json: { answer: 'Thank you!', error: { message: 'Bad request', description: 'No' } } },
		];
		expect(() => codeOf('Tell what failed')(failed)).toThrow(
			`${LEAD}: The lead is gone. Create it | Thank you!: Bad request. No`,
		);
	});
});

/** The same value with one part of it replaced, once for each part. */
function* damaged(value: unknown, by: unknown): Generator<unknown> {
	if (typeof value !== 'object' || value === null) return;
	for (const [name, part] of Object.entries(value)) {
		const copyWith = (other: unknown): unknown =>
			Array.isArray(value)
				? value.map((each: unknown, i) => (String(i) === name ? other : each))
				: { ...value, [name]: other };
		yield copyWith(by);
		for (const inner of damaged(part, by)) yield copyWith(inner);
	}
}

// An error in a Code node would stop everybody else of the delivery.
describe.each(services)('%s: a message of an unknown form stops nobody', (service) => {
	it.each([null, undefined, {}, [], 'x', 7])('%j in the place of any part', (by) => {
		for (const kind of kindsOf(service)) {
			for (const { json } of received(service, say(service, kind))) {
				for (const part of damaged(json, by)) {
					const items = codeOf(`Read ${service}`)([{ json: part as Json }]);
					expect(() => results(items.map(withNinthDigit))).not.toThrow();
				}
			}
		}
	});
});
