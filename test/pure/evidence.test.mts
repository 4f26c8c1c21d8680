/** Values that are read by the shape of their item and by their own form; test/corpus has what headings mean by themselves. */
import type { IDataObject } from 'n8n-workflow';

import type { ConvertContext } from '../../nodes/IntegrationLeads/values/context';
import { toMappedLead } from '../../nodes/IntegrationLeads/columns/columns';

function readIn(input: object) {
	const read: Record<string, string> = {};
	const leftOut: string[] = [];
	let notes = '';
	const context: ConvertContext = {
		label: 'Fields',
		timezone: 'UTC',
		countryCode: '55',
		input: input as IDataObject,
		onRead: (heading, field, byValue) => {
			if (byValue) read[heading] = field;
		},
		onLeftOut: (heading) => leftOut.push(heading),
		onAnswers: (answers) => (notes = answers),
	};
	const lead = toMappedLead({ mappingMode: 'autoMapInputData' }, context) as IDataObject;
	return { contact: lead.contact, read, notes, leftOut };
}

const ANA = { name: 'Ana Souza', email: 'ana@example.com' };
const phone = '+5511987654321';

const shapes: Array<[string, object, object, string?]> = [
	[
		'a list of names and values',
		{
			field_data: [
				{ name: 'full_name', values: ['Ana Souza'] },
				{ name: 'work_email', values: ['ana@example.com'] },
				{ name: 'cidade', values: ['Campinas'] },
			],
		},
		ANA,
		'cidade: Campinas',
	],
	[
		'an object that is a list',
		{
			body: {
				fields: {
					0: { name: 'Nome', value: 'Ana Souza', first: 'Ana' },
					1: { name: 'E-mail', value: 'ana@example.com' },
					2: { name: 'Mensagem', value: 'Oi', type: 'textarea' },
				},
			},
		},
		ANA,
		'Mensagem: Oi',
	],
	[
		'codes beside lists of values',
		{
			contacts: {
				add: [
					{
						name: 'Ana Souza',
						custom_fields: [
							{ name: 'Телефон', code: 'PHONE', values: [{ value: '11987654321' }] },
							{ code: 'EMAIL', values: [{ value: 'ana@example.com' }] },
						],
					},
				],
			},
		},
		{ ...ANA, phone },
	],
	[
		'a question that is an object',
		{
			raw_answers: [
				{ question: { question_title: 'Qual seu nome?' }, answer: 'Ana Souza' },
				{ text: 'Qual seu e-mail?', answer: 'ana@example.com' },
			],
		},
		ANA,
	],
	[
		'the text of a value for programs',
		{
			name: 'Ana Souza',
			column_values: [
				{ column: { title: 'E-mail' }, text: 'ana@example.com', value: '{"email":"x"}' },
			],
		},
		ANA,
	],
	[
		'cells that are objects',
		{
			Nome: { formula: 'A1', result: { richText: [{ text: 'Ana ' }, { text: 'Souza' }] } },
			'E-mail': { text: 'ana@example.com', hyperlink: 'mailto:x' },
		},
		ANA,
	],
	[
		'JSON as the text of a payload, not of a message',
		{
			body: {
				rawRequest: '{"q3_nome":{"first":"Ana","last":"Souza"},"q4_email":"ana@example.com"}',
				mensagem: '{"email":"eva@example.com"}',
			},
		},
		ANA,
	],
	[
		'letters that were damaged',
		{ Nome: '="JosÃ© D&#39;Souza\u0000"', Email: 'ana@example.com' },
		{ name: "José D'Souza", email: 'ana@example.com' },
	],
	[
		'keys in brackets are objects',
		{
			body: {
				'fields[field_a1][title]': 'WhatsApp',
				'fields[field_a1][value]': '(11) 98765-4321',
				'fields[field_a2][title]': 'Mensagem',
				'fields[field_a2][value]': 'Oi',
			},
		},
		{ phone },
		'Mensagem: Oi',
	],
	[
		'a list that was flattened',
		{
			'field_data.0.name': 'full_name',
			'field_data.0.values.0': 'Ana Souza',
			'field_data.1.name': 'email',
			'field_data.1.values.0': 'ana@example.com',
		},
		ANA,
	],
	[
		'answers of lists, and questions that were not answered',
		{
			field_data: [
				{ name: 'full_name', values: ['Ana Souza'] },
				{ name: 'cidade', values: ['Campinas'] },
				{ name: 'bairro', values: [] },
			],
		},
		{ name: 'Ana Souza' },
		'cidade: Campinas',
	],
	['JSON is no name', { Nome: '{"name":"Ana"}', Email: 'ana@example.com' }, { email: ANA.email }],
	[
		'a contact in the body',
		{ body: { contato: 'Ana Souza', celular: '11987654321' } },
		{ name: 'Ana Souza', phone },
	],
	[
		'the contact of an event is another person',
		{ email: ANA.email, event: { name: 'Meetup', contact: 'Bia Lima' } },
		{ email: ANA.email },
	],
	[
		'a sold item is no answer',
		{ email: 'ana@example.com', items: [{ name: 'Sofá', value: 1 }] },
		{ email: 'ana@example.com' },
	],
];
it.each(shapes.map((shape) => [shape[0], shape] as const))('%s', (_, shape) => {
	const [, input, contact, notes] = shape;
	const found = readIn(input);
	expect(found.contact).toEqual(contact);
	if (notes !== undefined) expect(found.notes).toBe(notes);
});

it.each<[object, object | undefined, Record<string, string>]>([
	[
		{ 'Insira seu nome completo': 'Ana Souza', 'E-mail corporativo': 'ana@example.com' },
		ANA,
		{ 'E-mail corporativo': 'email' },
	],
	[
		{ Nome: 'Ana Souza', 'Preencha um WhatsApp para contato': '11 98765-4321' },
		{ name: 'Ana Souza', phone },
		{ 'Preencha um WhatsApp para contato': 'phone' },
	],
	[
		{
			venda: {
				cadastro: { nome: 'Ana Souza', email: 'ana@example.com' },
				vendedor: { email: 'rui@example.com' },
			},
		},
		ANA,
		{ 'venda.cadastro.email': 'email', 'venda.cadastro.nome': 'name' },
	],
	[
		{ 'Deixe seu WhatsApp para receber a aula': '11 98765-4321' },
		{ phone },
		{ 'Deixe seu WhatsApp para receber a aula': 'phone' },
	],
	[{ Contato: 'ana@example.com' }, { email: 'ana@example.com' }, { Contato: 'email' }],
	[
		{ form: { name: 'Newsletter', fields: { email: 'ana@example.com' } } },
		{ email: 'ana@example.com' },
		{},
	],
	// Somebody else's, of two people, of several people, no number, and what names no field.
	[{ 'E-mail da escola': 'a@example.com' }, undefined, {}],
	[{ 'E-mail professora': 'a@example.com' }, undefined, {}],
	[{ 'Sales rep email': 'a@example.com', Closer: 'b@example.com' }, undefined, {}],
	[
		{ 'E-mail corporativo': 'a@example.com', 'E-mail profissional': 'b@example.com' },
		undefined,
		{},
	],
	[{ 'Telefone residencial': '1133334444', whatsapp_sent_at: '1769880600' }, undefined, {}],
	// Of the firm that sends the webhook.
	[{ business_phone: '+551133334444', lead: { source: 'call' } }, undefined, {}],
	// A phone at work, where there is no other.
	...[
		'Telefone comercial (contato)',
		'Work phone (contact)',
		'Work phone',
		'Telefone - Trabalho',
	].map((heading): [object, object, Record<string, string>] => [
		{ [heading]: "'+5511987654321" },
		{ phone },
		{ [heading]: 'phone' },
	]),
	[{ 'Telefone comercial': '1133334444', 'Celular (contato)': '11987654321' }, { phone }, {}],
	[
		{ user_column_data: [{ column_id: 'WORK_PHONE', string_value: phone }] },
		{ phone },
		{ 'answers.WORK_PHONE': 'phone' },
	],
	[{ 'rui@example.com': 'ana@example.com' }, undefined, {}],
	[
		{ 'E-mail': 'ana@example.com', 'E-mail corporativo': 'b@example.com' },
		{ email: 'ana@example.com' },
		{},
	],
	[
		{ Nome: 'Ana Souza', 'Negócio - Status': 'Perdido' },
		{ name: 'Ana Souza' },
		{ 'Negócio - Status': 'status' },
	],
])('of %j, the contact is %j, and %j was read by its form', (input, contact, read) => {
	const found = readIn(input);
	expect([found.contact, found.read]).toEqual([contact, read]);
});

test.each([['Excluído'], ['Deleted']])(
	'a deal that is %s has no state, and none of its stage',
	(state) => {
		const row = { 'Negócio - Status': state, 'Negócio - Etapa': 'Ganho', Nome: 'Ana Souza' };
		const found = readIn(row);
		expect([found.read, found.leftOut]).toEqual([{}, ['Negócio - Status']]);
		expect(found.notes).toContain(`Negócio - Status: ${state}`);
	},
);

it('names a state that is not known in a column in which some row is won', () => {
	const rows = [{ Situação: 'Ganho' }, { Situação: 'Fechado' }];
	const leftOut: string[] = [];
	const context = { label: 'Fields', timezone: 'UTC', input: rows[1], inputs: rows };
	toMappedLead(
		{ mappingMode: 'autoMapInputData' },
		{ ...context, onLeftOut: (heading) => void leftOut.push(heading) },
	);
	expect(leftOut).toEqual(['Situação']);
});

it('two emails at work are refused with the same reason as others', () => {
	const row = { 'Pessoa - E-mail - Trabalho': 'ana@example.com, bia@example.com' };
	expect(() => readIn(row)).toThrow('must be one email address');
});

it('names questions, not their places', () => {
	const unsent: string[] = [];
	const answers = { name: 'Ana Souza', email: 'ana@example.com', 'qual_a_cidade?': 'Campinas' };
	const input = {
		row_number: 2,
		field_data: Object.entries(answers).map(([name, value]) => ({ name, values: [value] })),
	};
	const context = { label: 'Fields', timezone: 'UTC', input };
	toMappedLead(
		{ mappingMode: 'autoMapInputData' },
		{ ...context, onUnsent: (names) => void unsent.push(...names) },
	);
	expect(unsent).toEqual(['field_data.qual_a_cidade?']);
});

test.each([
	['Ganho', 'in_progress'],
	['Enviado', undefined],
])('beside a row with %s, a column has states of deals: %s', (status, expected) => {
	const inputs = ['Em andamento', status].map((Situação) => ({ Nome: 'Ana Souza', Situação }));
	const context: ConvertContext = { label: 'Fields', timezone: 'UTC', input: inputs[0], inputs };
	const lead = toMappedLead({ mappingMode: 'autoMapInputData' }, context) as IDataObject;
	expect(lead.status).toBe(expected);
});

test.each([
	['bia@example.com', undefined, ['Telefone comercial']],
	['ana@example.com', '+551133334444', []],
	[undefined, '+551133334444', []],
])('the phone of a firm is that of no row if another row with it has %s', (other, phone, left) => {
	const inputs = ['ana@example.com', other].map((email) => ({
		...(email && { 'E-mail': email }),
		'Telefone comercial': '1133334444',
	}));
	const leftOut: string[] = [];
	const context: ConvertContext = {
		label: 'Fields',
		timezone: 'UTC',
		countryCode: '55',
		input: inputs[0],
		inputs,
		onLeftOut: (heading) => leftOut.push(heading),
	};
	const lead = toMappedLead({ mappingMode: 'autoMapInputData' }, context) as IDataObject;
	expect([(lead.contact as IDataObject).phone, leftOut]).toEqual([phone, left]);
});
