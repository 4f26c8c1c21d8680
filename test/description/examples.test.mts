/** The example workflows as files: what n8n would show of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isEqual, map, partition, pickBy, uniq } from 'lodash';

const FOLDER = join(__dirname, '../../examples');

/**
 * What n8n draws for a node: a square, and below its middle its name, in up to two lines of at most twice its width
 * (DEFAULT_NODE_SIZE in @n8n/workflow-sdk, and `.description` of the nodes in n8n-editor-ui, 2.41.1, read on 2026-11-29). The width
 * of a character is that of most names on the pictures in docs/images.
 */
const NODE_SIDE = 96;
const NAME_HEIGHT = 44;
const MAX_NAME_WIDTH = 2 * NODE_SIDE;
const CHARACTER_WIDTH = 8.2;

/** The name of an output stands at the right of its node, in smaller letters; measured on the same pictures. */
const OUTPUT_NAME_OFFSET = 12;
const OUTPUT_CHARACTER_WIDTH = 6;

interface Node {
	id: string;
	name: string;
	type: string;
	position: [x: number, y: number];
	parameters: {
		width?: number;
		height?: number;
		content?: string;
		jsCode?: string;
		dataTableId?: unknown;
		operation?: string;
		rules?: { values: Array<{ outputKey?: string }> };
		conversationId?: string;
		method?: string;
		batchSize?: number;
		options?: { historySize?: number };
	};
	credentials?: unknown;
	onError?: string;
	retryOnFail?: boolean;
	disabled?: boolean;
}

interface Workflow {
	name: string;
	nodes: Node[];
	connections: Record<string, { main: Array<Array<{ node: string }>> }>;
}

const examples = readdirSync(FOLDER).map((file) => ({
	file,
	...(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Workflow),
}));

const WAITING = /^n8n-nodes-base\.(webhook|formTrigger|whatsAppTrigger)$/;
/** Sends each of its items to somebody else. */
const isSender = ({ type, parameters }: Node) =>
	/\.(emailSend|gmail|slack|telegram|whatsApp)$/.test(type) || parameters.method === 'POST';
const LOOP = /\.splitInBatches$/;
const isNote = ({ type }: Node) => type === 'n8n-nodes-base.stickyNote';

/** The width of the longest line of a name. */
function nameWidth(name: string): number {
	const lines = [''];
	for (const word of name.split(' ')) {
		const line = `${lines.at(-1)} ${word}`.trim();
		if (line.length * CHARACTER_WIDTH > MAX_NAME_WIDTH) lines.push(word);
		else lines.splice(-1, 1, line);
	}
	return Math.max(...map(lines, 'length')) * CHARACTER_WIDTH;
}

function box(node: Node) {
	const [left, top] = node.position;
	const { width = NODE_SIDE, height = NODE_SIDE + NAME_HEIGHT } = node.parameters;
	return { left, top, right: left + width, bottom: top + height };
}

function boxWithName(node: Node) {
	const { left, right, ...others } = box(node);
	const beside = isNote(node) ? 0 : Math.max(0, (nameWidth(node.name) - (right - left)) / 2);
	return { left: left - beside, right: right + beside, ...others };
}

function overlap(one: Node, other: Node): boolean {
	const [a, b] = [boxWithName(one), boxWithName(other)];
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Where the names of a node's outputs end. */
function endOfOutputNames({ parameters, onError, position: [left] }: Node): number {
	const ofSwitch = map(parameters.rules?.values, ({ outputKey = '' }) => outputKey);
	const names = onError === 'continueErrorOutput' ? ['Success', ...ofSwitch] : ofSwitch;
	const longest = Math.max(0, ...map(names, 'length'));
	if (longest === 0) return left;
	return left + NODE_SIDE + OUTPUT_NAME_OFFSET + longest * OUTPUT_CHARACTER_WIDTH;
}

describe.each(examples)('$file', ({ name, nodes, connections }) => {
	it('has one note about all of it, which begins with its name; the others are beside a node', () => {
		const contents = nodes.filter(isNote).map(({ parameters }) => parameters.content ?? '');
		const titles = contents.flatMap((content) => content.match(/^## .*/) ?? []);
		expect(titles).toEqual([`## ${name}`]);
		const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-integration-leads.'));
		expect(ours).not.toEqual([]);
	});

	it('remembers more repeats than n8n does by default, beyond which it fails for good', () => {
		for (const { parameters } of nodes) {
			if (parameters.operation !== 'removeItemsSeenInPreviousExecutions') continue;
			expect(parameters.options?.historySize).toBeGreaterThanOrEqual(100_000);
		}
	});

	/** Nodes of loops that give them one item at a time. */
	const oneByOne = new Set<string>();
	const follow = (targets: Array<{ node: string }>): void => {
		for (const { node } of targets) {
			const isLoop = nodes.some(({ name, type }) => name === node && LOOP.test(type));
			if (isLoop || oneByOne.has(node)) continue;
			oneByOne.add(node);
			follow((connections[node]?.main ?? []).flat());
		}
	};
	for (const { name, type, parameters } of nodes) {
		if (LOOP.test(type) && (parameters.batchSize ?? 1) === 1) follow(connections[name].main[1]);
	}

	// n8n repeats a node with all of its items, also with those that were sent.
	it('sends each item to others once, whatever becomes of the others', () => {
		const senders = nodes.filter(isSender);
		// A mail to nobody's address would be sent in green.
		expect(JSON.stringify(map(senders, 'parameters'))).not.toContain('example.com');
		for (const sender of senders.filter(({ name }) => !oneByOne.has(name))) {
			const { onError, retryOnFail, parameters, name, type } = sender;
			// What another one could not send: rarely more than one item, so that n8n may repeat the node.
			const isRest = senders.some(
				(each) => each.onError && isEqual(each.parameters, parameters) && each !== sender,
			);
			if (!isRest) expect([name, retryOnFail]).toEqual([name, undefined]);
			// It sends all before it fails.
			const isLast = !connections[name] && type.endsWith('.httpRequest');
			if (isRest || isLast) continue;
			expect([name, onError]).toEqual([name, 'continueErrorOutput']);
			expect(connections[name].main[1]).not.toEqual([]);
		}
	});

	it('has nodes of their own IDs and no credential', () => {
		const ids = nodes.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
	});

	it('lays nothing over anything', () => {
		const pairs = nodes.flatMap((one, i) => nodes.slice(i + 1).map((other) => [one, other]));
		const overlapping = pairs.filter(([one, other]) => overlap(one, other));
		expect(overlapping.map((pair) => pair.map((each) => each.name))).toEqual([]);
	});

	it('lays no node over the names of outputs', () => {
		const hidden = nodes.flatMap((one) =>
			nodes
				.filter((other) => !isNote(other) && other.position[0] > one.position[0])
				.filter((other) => Math.abs(other.position[1] - one.position[1]) < NODE_SIDE)
				.filter((other) => other.position[0] < endOfOutputNames(one))
				.map((other) => [one.name, other.name]),
		);
		expect(hidden).toEqual([]);
	});

	it('reads only nodes that are there', () => {
		const names = nodes.map((node) => node.name);
		const read = [...JSON.stringify(nodes).matchAll(/\$\('([^']+)'\)/g)].map(([, found]) => found);
		expect(read.filter((each) => !names.includes(each))).toEqual([]);
	});

	// "Execute workflow" starts the trigger that is switched on, and prefers one that waits for a request.
	it('does not wait for a request if it can be tried by hand', () => {
		const byHand = nodes.some(({ type }) => type === 'n8n-nodes-base.manualTrigger');
		const waiting = nodes.filter(({ type, disabled }) => !disabled && WAITING.test(type));
		expect(byHand ? waiting.map((node) => node.name) : []).toEqual([]);
	});

	it('connects nodes that are there, and each of them', () => {
		const targets = Object.values(connections).flatMap((outputs) =>
			Object.values(outputs).flatMap((each) => each.flat().map(({ node }) => node)),
		);
		const connected = new Set([...Object.keys(connections), ...targets]);
		const names = nodes.filter((node) => !isNote(node)).map((node) => node.name);
		expect([...connected].sort()).toEqual(names.sort());
	});
});

// One that is switched off passes its items on as if it had sent them; an answer of Meta has no "replyTo".
it('the assistant logs an answer only where Meta took it, and sends the rest once more', () => {
	const { nodes, connections } = examples.find(({ name }) => name === 'WhatsApp assistant')!;
	const [answer, again, log] = ['Answer', 'Answer again', 'Log the answer'].map(
		(each) => nodes.find(({ name }) => name === each)!,
	);
	expect(map([answer, again, log], 'disabled')).toEqual([true, true, true]);
	expect(again).toMatchObject({ retryOnFail: true, parameters: answer.parameters });
	expect(log.parameters.conversationId).toMatch(/^=\{\{ \$json\.replyTo \? '' : /);
	const [taken, refused] = connections.Answer.main.map((targets) => map(targets, 'node'));
	expect([taken, refused]).toEqual([['Log the answer'], ['Answer again']]);
});

// An answer that was not sent must not count towards five an hour.
it('the assistant counts an answer only after it was sent', () => {
	const { nodes, connections } = examples.find(({ name }) => name === 'WhatsApp assistant')!;
	const counts = nodes.filter(({ parameters }) =>
		JSON.stringify(parameters).includes('"answers":"='),
	);
	expect(map(counts, 'name')).toEqual(['Count the answer']);
	const before = Object.entries(connections).filter(([, { main }]) =>
		main.flat().some(({ node }) => node === 'Count the answer'),
	);
	expect(map(before, 0)).toEqual(['Log the answer']);
});

it('no two of them share an ID', () => {
	const ids = examples.flatMap(({ nodes }) => nodes.map(({ id }) => id));
	expect(new Set(ids).size).toBe(ids.length);
});

/** Beyond these a workflow is a program, which nobody takes over: nodes besides notes; lines of code and tables where a row says so. */
const LIMITS: Record<string, { nodes: number; code?: number; tables?: number }> = {
	'google-sheet-to-leads': { nodes: 6 },
	'ai-agent-works-with-leads': { nodes: 12 },
	'checkout-to-leads': { nodes: 4 },
	'lead-basics': { nodes: 5 },
	// What Meta refuses is sent again alone. If it is refused again, one red message in words, after which Retry sends it.
	'lead-stages-to-meta': { nodes: 10, code: 30 },
	'nightly-conversions-to-google-ads': { nodes: 7 },
	// Of all that was refused wherever, one red message in words: a line for each sale, and one for what is the same for all. One
	// setting, since Retry repeats that message: by hand all can be sent.
	'nightly-conversions-to-google-data-manager': { nodes: 13, code: 50 },
	'nightly-conversions-to-meta': { nodes: 11, code: 36 },
	'sales-to-leads': { nodes: 9 },
	// One channel behind the other in a loop of one item, so that a message that fails repeats none.
	'new-lead-to-team': { nodes: 7 },
	// What n8n reads of no file: titles, totals, separators, encodings and all sheets of three formats; and pages in three languages,
	// whose texts are in a node of their own. They say how each column was read and of each refused row why, the first of them before
	// anything is sent: people import where they see a preview. A misspelt heading is named once, before its rows. What the node says
	// in English is put into the language of each of the two pages.
	'upload-form-to-leads': { nodes: 17, code: 266 },
	// Two of them look again whether somebody has taken over: the bot talked over a colleague who answered while it waited. One
	// sends what was refused again, one logs what was sent, one counts it.
	'whatsapp-assistant': { nodes: 17, tables: 1 },
	'whatsapp-message-to-lead': { nodes: 5 },
};
/**
 * Whole on a screen of 1024 x 768 pixels, n8n 2.41 shows this at two thirds of its size: notes have 9.5 pixels, names of nodes
 * more (measured in the editor on 2026-11-23).
 */
const CANVAS = { width: 1280, height: 860 };
/** n8n shows about as many characters of an expression in the panel. */
const MAX_EXPRESSION = 150;
const MAX_NOTE = 90;

const words = (text = '') => text.split(/\s+/).filter(Boolean);

/** Every text below a value. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value ? Object.values(value).flatMap(textsIn) : [];
}

describe('a person can own', () => {
	it.each(examples)('$file', ({ file, nodes: all }) => {
		const [notes, steps] = partition(all, isNote);
		const parameters = map(steps, 'parameters');
		const code = parameters.flatMap(({ jsCode }) => jsCode?.trim().split('\n') ?? []);
		const longest = (texts: string[]) => Math.max(0, ...map(texts, 'length'));
		const found = {
			nodes: steps.length,
			code: code.length,
			tables: uniq(parameters.flatMap(({ dataTableId }) => JSON.stringify(dataTableId) ?? []))
				.length,
			expression: longest(textsIn(parameters).filter((text) => text.startsWith('='))) - 1,
			note: Math.max(...notes.map((note) => words(note.parameters.content).length)),
		};
		const { nodes, code: lines = 0, tables = 0 } = LIMITS[file.replace('.json', '')];
		const limits = {
			nodes,
			code: lines,
			tables,
			expression: MAX_EXPRESSION,
			note: MAX_NOTE,
		};
		expect(pickBy(limits, (limit, what) => found[what as keyof typeof found] > limit)).toEqual({});
	});

	it.each(examples)('$file, as a whole on a small screen', ({ nodes }) => {
		const boxes = nodes.map(box);
		const least = (side: 'left' | 'top') => Math.min(...boxes.map((each) => each[side]));
		const most = (side: 'right' | 'bottom') => Math.max(...boxes.map((each) => each[side]));
		expect(most('right') - least('left')).toBeLessThanOrEqual(CANVAS.width);
		expect(most('bottom') - least('top')).toBeLessThanOrEqual(CANVAS.height);
	});
});
