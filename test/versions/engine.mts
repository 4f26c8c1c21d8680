/**
 * Tests of the nodes that hold in the engine of every n8n version: `npm run test:versions` runs this file in each of
 * them. It is one file, since loading an engine takes longer than the tests.
 */
import { IntegrationLeads } from '#built/nodes/IntegrationLeads/IntegrationLeads.node';
import { engineWith } from '../helpers/engine.mts';
import { startLab, type Lab } from '../helpers/lab.mts';

/** Files of test/engine; which of them a version can run is in scripts/commands/test-versions.mts. */
declare const ENGINE_TESTS: string[];

describe.each(ENGINE_TESTS)('%s', (file) => {
	require(`../engine/${file}.test.mts`);
});

describe('this version', () => {
	let lab: Lab;
	beforeAll(async () => {
		lab = await startLab({ seed: 5 });
	});
	beforeEach(() => lab.sandbox.controls.reset());
	afterAll(async () => await lab.sandbox.close());

	/** As CredentialsTester of n8n calls it, with the same function for requests. */
	async function testIt(baseUrl: string, apiKey: string): Promise<string> {
		const { helpers } = engineWith({ baseUrl, apiKey }).context();
		const data = { baseUrl, apiKey };
		const given = { id: '', name: '', type: 'integrationLeadsApi', data };
		const { credentialTest } = new IntegrationLeads().methods;
		const test = credentialTest.testCredential.bind({ helpers } as never);
		return (await test(given)).message;
	}

	test('connects with a good key, also with one that may not read leads', async () => {
		const { key } = lab.sandbox.controls.addKey({ scopes: ['tags:read'], name: 'tagsOnly' });
		const { url, keys } = lab.sandbox;
		for (const apiKey of [keys.full, key]) {
			expect(await testIt(url, apiKey)).toBe('Connection successful!');
		}
	});

	test('emits a lead that is created after the first poll, once', async () => {
		const trigger = lab.engine.trigger({ triggerOn: ['lead.created', 'lead.statusChanged'] });
		expect(await trigger.poll()).toBeNull();
		const { id } = lab.sandbox.controls.createLead({ externalId: 'new' });
		expect(await trigger.poll()).toMatchObject([{ event: 'lead.created', leadId: id }]);
		expect(await trigger.poll()).toBeNull();
		lab.sandbox.controls.changeLead({ id, status: 'closed_won' });
		expect(await trigger.poll()).toMatchObject([{ event: 'lead.statusChanged', leadId: id }]);
	});

	test('explains why a poll failed', async () => {
		const engine = lab.withKey('sk_test_unknown');
		const message = 'The API key was not accepted';
		const trigger = engine.trigger();
		expect(await trigger.poll()).toBeNull();
		expect(trigger.failed).toMatchObject([{ message }]);
		// Later ones throw, and n8n makes failed executions of them.
		await expect(trigger.poll()).rejects.toMatchObject({ message });
	});

	test('answers the agent when a tool fails', async () => {
		const lead = { operation: 'get', leadId: { __rl: true, mode: 'id', value: 'no-such-lead' } };
		const { answer } = await lab.engine.askTool(lead, {}, { way: 'invoke' });
		expect(JSON.parse(answer)).toEqual([
			{ error: expect.stringMatching(/^Lead "no-such-lead" was not found\..* "get many leads"/) },
		]);
	});
});
