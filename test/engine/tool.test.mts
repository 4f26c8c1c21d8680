/** The node as the tool of an AI agent: its description, the arguments of the model, and the answer it reads. */
import { ExecuteContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

import { engineWith, type AskOptions } from '../helpers/engine.mts';
import { by, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 5 });
let leadId: string;

beforeEach(() => {
	leadId = lab.sandbox.controls.createLead({
		externalId: 'known',
		notes: 'long',
		status: 'open',
	}).id;
	lab.sandbox.controls.clearRequests();
});

/** As n8n's editor writes a parameter that the model is to fill. */
const fromAi = (key: string, type = 'string', description = '') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, '${type}') }}`;

const WAYS: Array<NonNullable<AskOptions['way']>> = ['request', 'invoke'];

const get = (more: IDataObject = {}) => ({
	operation: 'get',
	leadId: by('id', fromAi('Lead')),
	...more,
});

const recordsIn = (answer: string) => JSON.parse(answer) as IDataObject[];
const requests = () => lab.sandbox.controls.requests();

describe('called by an agent', () => {
	const ask = async (parameters: IDataObject, said: IDataObject, more: AskOptions = {}) =>
		await lab.engine.askTool(parameters, said, more);

	const update = {
		operation: 'update',
		leadId: by('id', fromAi('Lead')),
		fieldsToClear: fromAi('Fields_to_Clear'),
		updateFields: {
			...Object.fromEntries(
				['notes', 'status', 'source', 'tags', 'priority'].map((name) => [name, fromAi(name)]),
			),
			contact: { phone: fromAi('Phone') },
		},
	};
	const nothingElse = { notes: '', status: '', source: 'null', tags: '', Phone: 'N/A' };

	test('a field that the model leaves out, for which it has to give something, stays as it is', async () => {
		const said = { ...nothingElse, Lead: leadId, priority: 'High', Fields_to_Clear: '' };
		await ask(update, said);
		expect(requests()).toMatchObject([{ method: 'PUT', path: `/leads/${leadId}` }]);
		expect(requests()[0].body).toEqual({ priority: 'high' });
	});

	describe.each(['string', '12345', '<external_id>x'])('with the external ID %s', (externalId) => {
		const fields = ['externalId', 'name', 'email', 'phone'];
		const upsert = {
			operation: 'upsert',
			...Object.fromEntries(fields.map((name) => [name, fromAi(name)])),
		};
		const ana = { name: 'Ana Souza', email: 'ana@example.com', phone: '+5511911111111' };
		const send = async (said: IDataObject) => {
			const blank = { externalId, name: '', email: '', phone: '' };
			return (await ask(upsert, { ...blank, ...said })).answer;
		};
		beforeEach(async () => void (await send(ana)));

		test.each([
			{ name: 'Bia Lima', email: 'bia@example.com' },
			{ name: 'Bia' },
			{ phone: '+5511922222222' },
			{ name: 'Mariana', email: 'ana.lima@example.com' },
		])('after one person, another is refused with both: %j', async (said) => {
			lab.sandbox.controls.clearRequests();
			const answer = await send(said);
			expect(answer).toContain('is that of another person: Ana Souza · ana@example.com');
			for (const value of Object.values(said)) expect(answer).toContain(value);
			expect(requests().map(({ method }) => method)).not.toContain('POST');
		});

		test.each([
			{ name: 'Ana' },
			{ name: 'Ana Lima' },
			{ name: 'Dona Ana', email: 'ana.lima@example.com' },
			{ email: 'ANA@example.com', name: 'A. Souza' },
			{},
		])('the same person is not: %j', async (said) => {
			expect(recordsIn(await send(said))).toMatchObject([{ externalId, created: false }]);
		});
	});

	test('a pushed lead may be JSON that the agent gives', async () => {
		const push = { resource: 'sync', operation: 'push', specifyLeads: 'json' };
		const lead = { externalId: 'a', name: 'b' };
		await ask({ ...push, leadJson: fromAi('Lead', 'json') }, { Lead: lead });
		expect(requests()).toMatchObject([{ path: '/sync', body: { leads: [lead] } }]);
	});

	test('an empty result has a message', async () => {
		const search = { operation: 'getAll', filters: { search: fromAi('Search') } };
		const { answer } = await ask(search, { Search: 'nobody at all' });
		expect(recordsIn(answer)).toEqual([
			{ found: 0, message: expect.stringMatching(/^Nothing was/) },
		]);
	});

	test.each(WAYS)('by %s: a failure says what happened and how to go on', async (way) => {
		const { answer } = await ask(get(), { Lead: 'no-such-lead' }, { way });
		expect(answer).toMatch(
			/Lead \\?"no-such-lead\\?" was not found\. \\*"get many leads\\*" finds its ID/,
		);
		// Once, and nothing of the program.
		expect(answer.split('get many')).toHaveLength(2);
		expect(answer).not.toMatch(/\n\s+at |node_modules|\.js/);
		const conversationId = by('id', fromAi('Conversation'));
		const read = { resource: 'message', operation: 'getAll', conversationId };
		const unknown = await ask(read, { Conversation: 'no-such-one' }, { way });
		expect(unknown.answer).toContain('get many conversations for lead');
	});

	test('a failure of the credential reaches the model, too', async () => {
		const engine = engineWith({ baseUrl: 'no address', apiKey: 'k' });
		const { answer } = await engine.askTool(get(), { Lead: leadId });
		expect(answer).toMatch(/Base URL.*\. [A-Z]/);
	});

	test.each([undefined, 'stopWorkflow'] as const)(
		'a failure is an answer only where n8n does not pass errors on: On Error is %s',
		async (onError) => {
			const { stored } = await ask(get(), { Lead: 'no-such-lead' }, { onError, way: 'invoke' });
			const [{ error }] = stored.data.resultData.runData.Leads;
			const passedOn = 'onExecutionFinish' in ExecuteContext.prototype || onError !== undefined;
			expect(error !== undefined).toBe(passedOn);
			if (error) expect(error.message).toMatch(/^Lead "no-such-lead" was not found\. "/);
		},
	);

	test('the key appears neither to the model nor in stored data', async () => {
		const key = lab.sandbox.keys.full;
		const failed = await ask(get(), { Lead: 'no-such-lead' });
		const done = await ask(get(), { Lead: leadId });
		expect(JSON.stringify([failed, done])).not.toContain(key);
		const refused = 'sk_test_not_a_known_key';
		const { answer, stored } = await lab.withKey(refused).askTool(get(), { Lead: leadId });
		expect(answer).toMatch(/API key was not accepted\. Open the credential/);
		expect(JSON.stringify([answer, stored])).not.toContain(refused);
	});

	const deletions: Array<[string, IDataObject, IDataObject]> = [
		[
			'removeTag',
			{ operation: 'removeTag', leadId: by('id', fromAi('Lead')), tagId: by('id', fromAi('Tag')) },
			{ Lead: 'lead-1', Tag: 'tag-1' },
		],
		[
			'delete',
			{ resource: 'sync', operation: 'delete', externalId: fromAi('External_ID') },
			{ External_ID: 'known' },
		],
		[
			'delete, as in the example of an agent',
			{ operation: 'delete', leadId: by('externalId', fromAi('External_ID')) },
			{ External_ID: 'known' },
		],
	];

	describe.each(deletions)('%s', (_, parameters, said) => {
		test.each(['', '*', 'null'])('with "%s" sends nothing, and says why', async (value) => {
			for (const name of Object.keys(said)) {
				const { answer } = await ask(parameters, { ...said, [name]: value });
				expect(requests()).toEqual([]);
				expect(answer).toMatch(/(is empty|does not name one record|must be a value).*\. [A-Z]/);
			}
		});
	});

	test('deletes the exact record', async () => {
		const [, parameters, said] = deletions[1];
		const { answer } = await ask(parameters, said);
		expect(requests()).toMatchObject([{ method: 'DELETE', path: '/sync/known' }]);
		expect(recordsIn(answer)).toEqual([{ deleted: true }]);
	});

	test('names the lead that it deleted, and makes sure that it is gone', async () => {
		const [, parameters, said] = deletions[2];
		const { answer } = await ask(parameters, said);
		const written = requests().filter(({ method }) => method !== 'GET');
		expect(written).toMatchObject([{ method: 'DELETE', path: '/sync/known' }]);
		expect(requests().at(-1)).toMatchObject({ method: 'GET', path: `/leads/${leadId}` });
		expect(recordsIn(answer)).toEqual([{ deleted: true, externalId: 'known', id: leadId }]);
	});

	test('an external ID that the model made up deletes nothing', async () => {
		const [, parameters] = deletions[2];
		const { answer } = await ask(parameters, { External_ID: 'know' });
		expect(requests().filter(({ method }) => method !== 'GET')).toEqual([]);
		expect(answer).toContain(String.raw`No lead has the external ID \"know\"`);
	});
});
