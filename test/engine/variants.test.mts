/**
 * Every operation in every shape in which the service might answer: what the spec leaves open must make no
 * difference to what comes out.
 */
import type { IDataObject } from 'n8n-workflow';

import { resources } from '#built/nodes/IntegrationLeads/resources/index';
import type { Variant } from '../../sandbox/variant.mts';
import type { Lab } from '../helpers/lab.mts';
import { by, startLab } from '../helpers/lab.mts';
import { VARIANTS } from '../helpers/variants.mts';
import { call } from '../sandbox/client.mts';

let lab: Lab;
let ids: Record<string, string>;

beforeAll(async () => {
	lab = await startLab({ seed: 130 });
});
afterAll(async () => await lab.sandbox.close());

/** Something to work on, made while the service still answers as the spec shows. */
async function prepare(): Promise<void> {
	lab.sandbox.controls.reset();
	const { id: leadId } = lab.sandbox.controls.createLead({ externalId: 'known', tags: ['old'] });
	const make = async (path: string, body: object) => {
		const { body: answer } = await call(lab.sandbox, `POST ${path}`, body);
		return String(answer.data.id);
	};
	const contactId = await make('/contacts', { name: 'Contact A', email: 'a@example.com' });
	const conversationId = await make(`/leads/${leadId}/conversations`, {});
	const messageId = await make(`/conversations/${conversationId}/messages`, { content: 'first' });
	await make(`/leads/${leadId}/interactions`, { type: 'NOTE', title: 'first' });
	const tagId = [...lab.sandbox.store.tags.values()].find(({ name }) => name === 'old')?.id ?? '';
	ids = { leadId, contactId, conversationId, messageId, tagId };
}

const lead = () => ({ leadId: by('id', ids.leadId) });
const conversation = () => ({ conversationId: by('id', ids.conversationId) });
const all = { returnAll: true };
const byName = { mappingMode: 'autoMapInputData', value: null };
const input = [{ externalId: 'pushed' }];

/** Parameters of each operation, and what its output must hold, unless the service gives nothing (204). */
const CASES: Record<string, [parameters: () => IDataObject, holds: () => IDataObject | number]> = {
	'lead.addTags': [() => ({ ...lead(), tags: 'new' }), () => ({ id: ids.leadId })],
	'lead.upsert': [() => ({ externalId: 'made' }), () => ({ externalId: 'made' })],
	'lead.get': [lead, () => ({ id: ids.leadId, externalId: 'known' })],
	'lead.getAll': [() => all, () => 131],
	'lead.getConversions': [
		() => {
			const fields = { status: 'sold', saleDate: '2026-03-08T12:00:00.000Z', estimatedValue: 7 };
			lab.sandbox.controls.createLead({ ...fields, externalId: 'sold' });
			const days = { saleDateFrom: '2026-03-08', saleDateTo: '2026-03-09' };
			return { status: 'sold', saleDate: 'between', ...days };
		},
		() => ({ externalId: 'sold', saleDate: '2026-03-08T12:00:00.000Z', currency: 'BRL' }),
	],
	'lead.removeTag': [() => ({ ...lead(), tagId: by('id', ids.tagId) }), () => ({ deleted: true })],
	'lead.update': [
		() => ({ ...lead(), updateFields: { priority: 'high' } }),
		() => ({ id: ids.leadId, priority: 'high' }),
	],
	'lead.updateStatus': [() => ({ ...lead(), status: 'won' }), () => ({ status: 'won' })],
	'contact.create': [() => ({ name: 'Contact B' }), () => ({ name: 'Contact B' })],
	'contact.findOrCreate': [
		() => ({ email: 'a@example.com', phone: '+1 415 555 0100' }),
		() => ({ id: ids.contactId, created: false, matchedBy: 'email' }),
	],
	'contact.get': [() => ({ contactId: by('id', ids.contactId) }), () => ({ id: ids.contactId })],
	'contact.getAll': [() => all, () => lab.sandbox.store.contacts.size],
	'contact.lookup': [() => ({ email: 'a@example.com' }), () => ({ id: ids.contactId })],
	'contact.update': [
		() => ({ contactId: by('id', ids.contactId), updateFields: { name: 'Contact C' } }),
		() => ({ id: ids.contactId, name: 'Contact C' }),
	],
	'tag.create': [() => ({ name: 'new' }), () => ({ name: 'new' })],
	'tag.getAll': [() => all, () => lab.sandbox.store.tags.size],
	'interaction.create': [
		() => ({ ...lead(), type: 'CALL', metadata: '{"result": "reached"}' }),
		() => ({ type: 'CALL', metadata: { result: 'reached' } }),
	],
	'interaction.getAll': [() => ({ ...lead(), ...all }), () => 1],
	'conversation.create': [
		() => ({ ...lead(), contactId: by('id', ids.contactId) }),
		() => ({ leadId: ids.leadId, contactId: ids.contactId }),
	],
	'conversation.createForLead': [lead, () => ({ leadId: ids.leadId })],
	'conversation.get': [conversation, () => ({ id: ids.conversationId })],
	'conversation.getAll': [() => all, () => lab.sandbox.store.conversations.size],
	'conversation.getAllForLead': [() => ({ ...lead(), ...all }), () => 1],
	'conversation.findOrCreateForLead': [lead, () => ({ id: ids.conversationId, created: false })],
	'message.logForLead': [
		() => ({ ...lead(), content: 'hello' }),
		() => ({ content: 'hello', created: true, conversationId: ids.conversationId }),
	],
	'message.create': [() => ({ ...conversation(), content: 'hello' }), () => ({ content: 'hello' })],
	'message.getAll': [() => ({ ...conversation(), ...all }), () => 1],
	'message.updateStatus': [
		() => ({ messageId: ids.messageId, status: 'read' }),
		() => ({ id: ids.messageId, status: 'read' }),
	],
	'sync.delete': [() => ({ externalId: 'known' }), () => ({ deleted: true })],
	'sync.push': [() => ({ lead: byName }), () => ({ externalId: 'pushed', result: 'created' })],
	'sync.get': [() => ({ externalId: 'known' }), () => ({ externalId: 'known' })],
	'apiRequest.request': [() => ({ method: 'GET', path: '/tags' }), () => 1],
};

test('every operation has a case', () => {
	const declared = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((operation) => `${resource}.${operation}`),
	);
	expect(Object.keys(CASES).sort()).toEqual(declared.sort());
});

describe.each(VARIANTS)('when the service answers with %j', (variant) => {
	test.each(Object.entries(CASES))('%s', async (name, [parameters, holds]) => {
		await prepare();
		lab.sandbox.controls.variant(variant);
		lab.sandbox.controls.clearRequests();
		const [resource, operation] = name.split('.');
		const { items, error } = await lab.engine.run(
			{ resource, operation, ...parameters() },
			{ input },
		);
		expect(error).toBeUndefined();
		if (name === 'apiRequest.request') return;
		const expected = holds();
		if (typeof expected === 'number') {
			expect([items.length, new Set(items.map(({ json }) => json.id)).size]).toEqual([
				expected,
				expected,
			]);
			return;
		}
		const [{ method }] = lab.sandbox.controls.requests().slice(-1);
		const told = variant.status !== 204 || method === 'GET' || expected.deleted;
		const accepted = name === 'sync.push' ? { batchAccepted: true } : { success: true };
		const wanted = told ? expected : accepted;
		expect(items).toMatchObject([{ json: asAnswered(wanted, variant), pairedItem: { item: 0 } }]);
	});
});

/** A service that writes numbers as text does so in records too; they pass through as they came. */
function asAnswered(value: IDataObject, { numbers }: Partial<Variant>): IDataObject {
	if (numbers !== 'string') return value;
	return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
		typeof each === 'number' ? String(each) : each,
	) as IDataObject;
}
