/** Operations of several requests: searches, steps, what the user is told, and what another try sends. */
import { NodeApiError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type {
	ComposedOperation,
	Parameter,
	RequestOperation,
	Result,
} from '../../nodes/IntegrationLeads/operation';
import { compose } from '../../nodes/IntegrationLeads/operation';
import { draftItem } from '../../nodes/IntegrationLeads/prepare/draft';
import { recordKeysOf } from '../../nodes/IntegrationLeads/prepare/plan';
import { Hints } from '../../nodes/IntegrationLeads/output/hints';
import { createServices } from '../../nodes/IntegrationLeads/requests/services';
import { runItem } from '../../nodes/IntegrationLeads/run/item';
import type { Client } from '../../nodes/IntegrationLeads/transport/send';
import { UserError } from '../../nodes/IntegrationLeads/userError';
import { node } from '../helpers/node.mts';

const record = { singular: 'contact', plural: 'contacts', schema: 'Contact' };
const declared = { name: '', description: '', when: '', scope: 'contacts:write', parameters: [] };
const list = {
	...declared,
	action: 'List contacts',
	route: 'GET /contacts',
	output: { kind: 'many', record },
} satisfies RequestOperation;
const create = {
	...declared,
	action: 'Create contact',
	route: 'POST /contacts',
	listedBy: list,
	output: { kind: 'one', record },
} satisfies RequestOperation;
const note = {
	...declared,
	action: 'Add note',
	route: 'POST /contacts/{contactId}/notes',
	output: { kind: 'one', record: { singular: 'note', plural: 'notes' } },
} satisfies RequestOperation;

const own = { ...declared, action: 'Do it', output: { kind: 'one', record } } as const;

/** Runs an operation while the service gives these answers, in order. What `book` holds is kept for another try. */
async function run(
	operation: Partial<ComposedOperation>,
	answers: unknown[],
	book: IDataObject = {},
	values: IDataObject = {},
) {
	const requests: Array<Record<string, unknown>> = [];
	const send = async (request: object, about: object) => {
		requests.push({ ...request, about });
		const data = await Promise.resolve(answers[requests.length - 1]);
		if (data instanceof Error) throw data;
		return { status: data === undefined ? 204 : 200, data, siblings: {} };
	};
	const context = {
		getContext: () => book,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getTimezone: () => 'UTC',
		getNode: () => node,
		getMode: () => 'trigger',
	} as unknown as IExecuteFunctions;
	const scrub = (text: string) => text;
	const client = { send, scrub, toServerTime: () => undefined } as unknown as Client;
	const services = createServices(context, client, new Hints());
	const whole = { ...own, ...operation } as ComposedOperation;
	const [draft] = draftItem(whole, (name) => values[name], { timezone: 'UTC', now: 0 });
	const planned = { itemIndex: 0, part: 0, plan: draft.plan() };
	const items = await runItem(planned, services);
	return { items, requests, hints: [...services.hints] };
}

const found = { contact: { id: 'c' } };
const pathsOf = ({ requests }: { requests: Array<Record<string, unknown>> }) =>
	requests.map(({ method, path }) => `${String(method)} ${String(path)}`);

describe('steps', () => {
	const page = (...ids: string[]) => ({
		contacts: ids.map((id) => ({ id })),
		pagination: { total: ids.length },
	});
	const refused = () => new NodeApiError(node, {}, { message: 'refused', description: 'Mend it.' });
	/** Finds a contact in the list or creates it, and adds a note to it. */
	const addNote = {
		...declared,
		compose: compose({
			steps: { list, create, note },
			keys: () => ['key'],
			run: async (_, steps) => {
				const [open] = await steps.list({});
				const contact = open ?? (await steps.create({ body: {} }, { searchedFirst: true }));
				const contactId = String(contact.record?.id);
				const noted = await steps.note({ path: { contactId }, body: { text: 'x' } });
				return { ...noted, adds: { contactId, contactCreated: contact.created } };
			},
		}),
	};
	const noted = { note: { id: 'n' } };

	it('of which each needs what the one before it returned', async () => {
		const done = await run(addNote, [page(), found, noted]);
		expect(done.items).toEqual([{ contactCreated: true, id: 'n', contactId: 'c' }]);
		expect(pathsOf(done)).toEqual(['GET /contacts', 'POST /contacts', 'POST /contacts/c/notes']);
		const { items } = await run(addNote, [page('d'), noted]);
		expect(items).toEqual([{ contactCreated: false, id: 'n', contactId: 'd' }]);
	});

	it('are named by the operation that the user chose, and by its options', async () => {
		const path = { displayName: 'Contact', name: 'contactId', in: 'path', wayToFind: 'Look.' };
		const parameters = [path] as unknown as Parameter[];
		const { requests } = await run(
			{ ...addNote, parameters },
			[page(), found, noted],
			{},
			{
				contactId: 'c',
			},
		);
		const abouts = requests.map(({ about }) => about);
		// A contact that is missing is looked for anyway.
		expect(abouts).toMatchObject([
			{ action: 'Do it' },
			{ action: 'Do it' },
			{
				action: 'Do it',
				targets: [{ label: 'Contact', value: 'c', wayToFind: 'Look.' }],
			},
		]);
		const { requests: others } = await run(addNote, [page('d'), noted]);
		expect(others.at(-1)?.about).toMatchObject({
			targets: [{ label: 'ID of the contact', value: 'd' }],
		});
	});

	it('send nothing if a list cannot be read to its end', async () => {
		const same = { contacts: [{ id: 'c' }], pagination: { total: 2, limit: 1 } };
		const failing = run(addNote, Array(40).fill(same));
		await expect(failing).rejects.toMatchObject({
			message: 'The list of contacts could not be read completely, so nothing was sent',
		});
	});

	it('say what was created before one failed', async () => {
		const failing = run(addNote, [page(), found, refused()]);
		await expect(failing).rejects.toMatchObject({
			description: 'Mend it. The contact "c" was created for this item; running it again finds it.',
		});
		const known = run(addNote, [page('d'), refused()]);
		await expect(known).rejects.toMatchObject({ description: 'Mend it.' });
	});

	it('that were carried out are not sent again in another try', async () => {
		const book = {};
		const twice = {
			...addNote,
			compose: compose({
				steps: { note },
				keys: () => ['key'],
				run: async (_, steps) => {
					await steps.note({ path: { contactId: 'a' } });
					return await steps.note({ path: { contactId: 'b' } });
				},
			}),
		};
		await expect(run(twice, [noted, refused()], book)).rejects.toThrow('refused');
		const again = await run(twice, [{ note: { id: 'm' } }], book);
		expect([pathsOf(again), again.items]).toEqual([['POST /contacts/b/notes'], [{ id: 'm' }]]);
	});

	// A contact that was deleted between two tries must not be written to.
	it('create once more what an earlier try created and is gone', async () => {
		const book = {};
		await expect(run(addNote, [page(), found, refused()], book)).rejects.toThrow('refused');
		const again = await run(addNote, [page(), { contact: { id: 'e' } }, noted], book);
		expect(pathsOf(again).at(-1)).toBe('POST /contacts/e/notes');
	});

	it('whose answer was lost are not sent again, unless the record is looked for', async () => {
		const lost = () => Object.assign(refused(), { context: { mayBeRecorded: true } });
		const book = {};
		await expect(run(addNote, [page('c'), lost()], book)).rejects.toThrow('refused');
		await expect(run(addNote, [page('c'), noted], book)).rejects.toThrow(
			'This item was sent earlier in this execution and may have been recorded',
		);
		const other = {};
		await expect(run(addNote, [page(), lost()], other)).rejects.toThrow('refused');
		expect((await run(addNote, [page('c'), noted], other)).items).toHaveLength(1);
	});

	it('that are taken several times have a key of their own', async () => {
		const book = {};
		const each = (keys: string[]) => ({
			...addNote,
			compose: compose({
				steps: { note },
				keys: () => ['key'],
				run: async (_, steps) => {
					let last: Result = { adds: {} };
					for (const key of keys) last = await steps.note({ path: { contactId: key } }, { key });
					return last;
				},
			}),
		});
		await expect(run(each(['a', 'b']), [noted, refused()], book)).rejects.toThrow('refused');
		const again = await run(each(['b', 'a']), [{ note: { id: 'm' } }], book);
		expect(pathsOf(again)).toEqual(['POST /contacts/b/notes']);
	});

	it('that wrote something are not denied', async () => {
		const several = async () => await Promise.reject(new UserError('several', 'Close one.'));
		const failing = run(
			{
				compose: compose({
					steps: { note },
					run: async (_, steps) => {
						await steps.note({ path: { contactId: 'a' } });
						return await several();
					},
				}),
			},
			[undefined],
		);
		await expect(failing).rejects.toMatchObject({ description: 'Close one.' });
	});

	it('fail without having sent anything, and say so', async () => {
		const run1 = async () => await Promise.reject(new UserError('several', 'Close one.'));
		const failing = run({ compose: compose({ steps: { create }, run: run1 }) }, []);
		await expect(failing).rejects.toMatchObject({
			description: 'Close one. Nothing was sent for this item.',
		});
	});
});

it('an operation may split items: each thing has values, keys and a plan of its own', () => {
	const split: ComposedOperation = {
		...own,
		compose: compose({
			steps: { create },
			keys: ({ body }) => [body.name],
			split: (values) => ['a', 'b'].map((name) => ({ ...values, body: { name } })),
			run: async ({ body }, steps) => await steps.create({ body }),
		}),
	};
	const drafts = draftItem(split, () => undefined, { timezone: 'UTC', now: 0 });
	expect(drafts.map((each) => recordKeysOf(each.plan()))).toEqual([['a'], ['b']]);
});
