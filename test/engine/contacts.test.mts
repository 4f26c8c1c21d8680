/**
 * One contact for each person, though many items are sent at once, by a service that looks for a contact when a request
 * arrives and creates it later: of two requests side by side both would create one.
 */
import type { IDataObject } from 'n8n-workflow';

import { by, called, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 20, rpm: 0 });
const PEOPLE = 10;
const columns = { mappingMode: 'autoMapInputData', value: null };
const options = { concurrency: 8, externalIdColumn: 'order', batchSize: 3 };

/** Two orders of each of ten people, one after the other, with two spellings of their email or phone. */
const rows = (fields: (person: number) => IDataObject[]): IDataObject[] =>
	Array.from({ length: PEOPLE }, (_, person) => fields(person))
		.flat()
		.map((address, order) => ({ email: '', phone: '', ...address, order: `o-${order}` }));
const byEmail = rows((person) =>
	[`p${person}@example.com`, `P${person}@Example.com`].map((email) => ({ email })),
);
const byPhone = rows((person) =>
	[`+551197654321${person}`, `+55 (11) 97654-321${person}`].map((phone) => ({ phone })),
);
const FORMS = { 'the same email': byEmail, 'the same phone': byPhone };

beforeEach(() => {
	lab.sandbox.controls.variant({ contactsAsOf: 'arrival' });
	lab.sandbox.controls.latency({ ms: 5 });
});

/** Operations that may create a contact, with the fields of a row. */
const upsert = { externalId: '={{ $json.order }}', email: '={{ $json.email }}' };
const contact = { email: '={{ $json.email }}', phone: '={{ $json.phone }}' };
const OPERATIONS: Record<string, IDataObject> = {
	'lead.upsert': { ...upsert, phone: '={{ $json.phone }}' },
	'lead.upsert from columns': { identifyBy: 'columns', lead: columns },
	'lead.update': {
		leadId: by('id', '={{ $json.leadId }}'),
		updateFields: { contact },
	},
	'sync.push': { lead: columns },
	'sync.push in JSON': {
		specifyLeads: 'json',
		leadJson:
			'={{ { externalId: $json.order, contact: { email: $json.email, phone: $json.phone } } }}',
	},
	'contact.findOrCreate': contact,
	'apiRequest.request': {
		method: 'POST',
		path: '/leads',
		body: '={{ { externalId: $json.order, contact: { email: $json.email, phone: $json.phone } } }}',
	},
};

const CASES = Object.entries(FORMS).flatMap(([form, input]) =>
	Object.keys(OPERATIONS).map((operation) => [operation, form, input] as const),
);

test.each(CASES)('%s: ten people with %s become ten contacts', async (operation, _, input) => {
	const { controls, store } = lab.sandbox;
	const [name] = operation.split(' ');
	// Leads without a contact.
	const items = input.map((row) => ({ ...row, leadId: controls.createLead({}).id }));
	const before = store.contacts.size;
	const parameters = { ...OPERATIONS[operation], options };
	const { error } = await lab.engine.run(called(name, parameters), { input: items });
	expect(error).toBeUndefined();
	expect(store.contacts.size - before).toBe(PEOPLE);
});

test('two executions at once with one new person create one contact', async () => {
	const before = lab.sandbox.store.contacts.size;
	const send = async (externalId: string) =>
		await lab.engine.run({ operation: 'upsert', externalId, email: 'same@example.com' });
	await Promise.all(['a', 'b', 'c'].map(send));
	expect(lab.sandbox.store.contacts.size - before).toBe(1);
});
