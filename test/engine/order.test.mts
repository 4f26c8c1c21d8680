/** The order of items about one lead, to which an email has led one and a phone the other, and which of them has created it. */
import { called, simulatedClock, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 5, rpm: 0 }, simulatedClock);

/** A lead of a contact, and two rows about it. */
function leadOfTwoRows() {
	const { store, controls } = lab.sandbox;
	const person = { email: 'ana@example.com', name: 'Ana', phone: '+5511987654321' };
	const { id } = controls.createLead({
		externalId: 'crm-1',
		contactId: store.createContact(person).id,
	});
	const rows = [
		{ Nome: 'Ana', Email: person.email, Notas: 'first' },
		{ Nome: 'Ana', Telefone: person.phone, Notas: 'second' },
	];
	return { rows, notes: () => store.leads.get(id)?.notes };
}

const OPERATIONS = [
	{ name: 'lead.upsert', parameters: { specifyLead: 'columns' } },
	{ name: 'sync.push', parameters: { specifyLeads: 'fields' } },
];

test.each(OPERATIONS)('$name: the later of two rows wins', async ({ name, parameters }) => {
	const { rows, notes } = leadOfTwoRows();
	const other = { Nome: 'Bia', Email: 'bia@example.com', Notas: 'other' };
	// The first request that writes is answered last.
	const match = { method: 'POST', path: '(leads|sync)$' };
	lab.sandbox.controls.fault({ kind: 'slow', when: 'later', ms: 300, match });
	const options = { batchSize: 2, output: 'inputWithResult' };
	const node = called(name, { ...parameters, options });
	const { items } = await lab.engine.run(node, { input: [other, ...rows] });
	expect(notes()).toBe('second');
	expect(items.map(({ json }) => String(json.result).split(';')[0])).toEqual([
		'created',
		'updated',
		'updated',
	]);
});

test.each(OPERATIONS)(
	'$name: the later wins although the earlier is carried out by the next try',
	async ({ name, parameters }) => {
		const { rows, notes } = leadOfTwoRows();
		const times = name === 'sync.push' ? 3 : 5;
		const match = { method: 'POST', path: '(leads|sync)$' };
		lab.sandbox.controls.fault({ kind: 'status', status: 503, times, match });
		const node = called(name, { ...parameters, options: { batchSize: 1 } });
		const how = { retry: true, onError: 'continueRegularOutput' as const };
		const { error } = await lab.engine.run(node, { input: rows, ...how });
		expect(error).toBeUndefined();
		expect(notes()).toBe('second');
	},
);

test.each(OPERATIONS)('$name: one row says that it created the lead', async (operation) => {
	const rows = ['first', 'second'].map((Notas) => ({
		Nome: 'Ana',
		Email: 'ana@example.com',
		Notas,
	}));
	const match = { method: 'POST', path: '(leads|sync)$', nth: 2 };
	lab.sandbox.controls.fault({ kind: 'status', status: 503, times: 5, match });
	const node = called(operation.name, { ...operation.parameters, options: { batchSize: 1 } });
	const { items } = await lab.engine.run(node, { input: rows, retry: true });
	expect(items.filter(({ json }) => json.created === true)).toHaveLength(1);
});
