/** Files as people keep them, with what the page of "Upload form → leads" has to say of each before it is sent. */

/** The rows of each sheet, by its name. A file with one sheet without a name is CSV, as Excel in Brazil saves it. */
type Sheets = Record<string, unknown[][]>;

/** Sheets, or the content of a file and its name. */
export type FileContent = Sheets | [content: Buffer, name: string];

interface UploadCase {
	name: string;
	file: FileContent;
	/** On the page that asks, or that says why the file was not sent. */
	says: string[];
	/** Not on that page. */
	silent?: string[];
	/**
	 * Uploaded on that page instead, one after the other, with what it says then, first what it did not say before. The button is that
	 * of the page before.
	 */
	corrected?: Array<{ file: FileContent; says: string[]; button: string }>;
	/** What the service is sent. */
	leads: object[];
	/** On the ending page. */
	sent: string[];
}

/** A lead as it is sent, with the external ID by which it is found again. */
const person = (name: string, email?: string, phone?: string) => ({
	externalId: email ?? phone,
	contact: { name, ...(email && { email }), ...(phone && { phone }) },
});

export const UPLOADS: UploadCase[] = [
	{
		name: 'Portuguese',
		file: {
			'': [
				['Nome', 'E-mail', 'Celular', 'Valor', 'Data da venda', 'Loja'],
				['Ana Souza', 'up1@example.com', '+55 11 94000-0001', 'R$ 1.500,50', '31/12/2025', 'Sul'],
				['Bia', 'up2@example.com', '', '', '', 'Sul'],
			],
		},
		says: [
			'Leads novos: 2',
			'Nome\tnome',
			'Celular\ttelefone',
			'Valor\tvalor',
			'Data da venda\tdata da venda',
			'Loja\tnão é enviada',
			'Ana Souza\tup1@example.com\t+5511940000001\tup1@example.com\t1500.5',
		],
		silent: ['O que seria recusado'],
		leads: [
			{
				...person('Ana Souza', 'up1@example.com', '+5511940000001'),
				estimatedValue: 1500.5,
				saleDate: '2025-12-31T00:00:00.000Z',
			},
			person('Bia', 'up2@example.com'),
		],
		sent: ['2 × criado', 'Colunas não enviadas: "Loja"'],
	},
	{
		name: 'English',
		file: [
			Buffer.from(
				'Full name,Email address,Phone,Deal value,Tags,Owner\n"Souza, Ana",up3@example.com,+1 212 555 0100,1500,vip,Joe',
			),
			'leads.csv',
		],
		says: ['New leads: 1', 'Full name\tname', 'Phone\tphone', 'Tags\ttags', 'Owner\tnot sent'],
		leads: [
			{
				...person('Souza, Ana', 'up3@example.com', '+12125550100'),
				estimatedValue: 1500,
				tags: ['vip'],
			},
		],
		sent: ['1 × created'],
	},
	{
		name: 'Spanish',
		file: {
			'': [
				['Nombre', 'Correo electrónico', 'Teléfono', 'Etiquetas'],
				['Ana Souza', 'up4@example.com', '+34 612 345 678', 'vip'],
			],
		},
		says: [
			'Leads nuevos: 1',
			'Nombre\tnombre',
			'Correo electrónico\tcorreo',
			'Teléfono\tteléfono',
			'Etiquetas\tetiquetas',
		],
		leads: [{ ...person('Ana Souza', 'up4@example.com', '+34612345678'), tags: ['vip'] }],
		sent: ['Resultado de 1 fila', '1 × creado'],
	},
	{
		name: 'a total below',
		file: {
			Leads: [
				['Nome', 'E-mail', 'Valor'],
				['Ana', 'up5@example.com', 100],
				['Bia', 'up6@example.com', 200],
				['Total', '', 300],
			],
		},
		says: ['Linha 4 é um total. Não enviado.', 'Leads novos: 2'],
		leads: [
			{ ...person('Ana', 'up5@example.com'), estimatedValue: 100 },
			{ ...person('Bia', 'up6@example.com'), estimatedValue: 200 },
		],
		sent: ['2 × criado'],
	},
	{
		name: 'two sheets and a cover',
		file: {
			Capa: [['Relatório de leads']],
			Janeiro: [
				['Nome', 'WhatsApp'],
				['Ana', '+55 11 94000-0007'],
			],
			Fevereiro: [
				['Nome', 'E-mail', 'Valor'],
				['Bia', 'up8@example.com', 'dez'],
			],
		},
		says: [
			'Aba "Capa" não foi lida',
			'Leads novos: 1',
			'Linhas que seriam recusadas: 1',
			'Linha 2 (Fevereiro): "Valor" deve ser um número: "dez"',
			'WhatsApp\ttelefone',
		],
		leads: [person('Ana', undefined, '+5511940000007')],
		sent: ['1 × criado', '1 × recusado'],
	},
	{
		name: 'wrong headings',
		file: {
			'': [
				['Quem', 'Endereço eletrônico', 'Fone de contato'],
				['Ana', 'up9@example.com', '+55 11 94000-0009'],
			],
		},
		says: ['Quem\tnão é enviada'],
		corrected: [
			{
				file: {
					'': [
						['Nome', 'E-mail', 'Telefone'],
						['Ana', 'up9@example.com', '+55 11 94000-0009'],
					],
				},
				says: ['Nome\tnome', 'E-mail\te-mail', 'Telefone\ttelefone', 'Leads novos: 1'],
				button: 'Enviar 1 linha',
			},
		],
		leads: [person('Ana', 'up9@example.com', '+5511940000009')],
		sent: ['1 × criado'],
	},
	{
		name: 'no row that can be sent',
		file: {
			'': [
				['Nome', 'Telefone'],
				['Ana', '94000-0010'],
				['Bia', ''],
			],
		},
		says: [
			'Linhas que seriam recusadas: 2',
			'Linha 2: "Telefone"',
			'Linha 3: A linha não tem e-mail',
		],
		corrected: [
			{
				file: {
					'': [
						['Nome', 'Telefone'],
						['Ana', '+55 11 94000-0010'],
					],
				},
				says: ['Leads novos: 1'],
				button: 'Conferir',
			},
		],
		leads: [person('Ana', undefined, '+5511940000010')],
		sent: ['1 × criado'],
	},
	{
		name: 'a title above, and people who are there',
		file: {
			Planilha: [
				['Leads de novembro'],
				[],
				['Nome', 'E-mail', 'Etapa'],
				['Ana Souza', 'up1@example.com', 'x'],
				['Caio', 'up11@example.com', 'y'],
			],
		},
		says: [
			'Linha 1 está acima dos cabeçalhos. Não enviado.',
			'Leads novos: 1',
			'Leads que seriam atualizados: 1',
		],
		leads: [person('Ana Souza', 'up1@example.com'), person('Caio', 'up11@example.com')],
		sent: ['1 × criado', '1 × atualizado'],
	},
	{
		name: 'one person twice',
		file: {
			'': [
				['Nome', 'E-mail', 'Tags'],
				['Davi', 'up12@example.com', 'a'],
				['Davi', 'up12@example.com', 'b'],
			],
		},
		says: ['Leads novos: 1', 'Leads que seriam atualizados: 1'],
		leads: [
			{ ...person('Davi', 'up12@example.com'), tags: ['a'] },
			{ ...person('Davi', 'up12@example.com'), tags: ['b'] },
		],
		sent: ['Resultado de 2 linhas'],
	},
	{
		name: 'markup and signs in cells',
		file: {
			'': [
				['Name', 'Email', 'Notes'],
				['<b>Ana</b> $& {{ 1 }}', 'up13@example.com', '<img src=x> "a" & b'],
			],
		},
		says: ['<img src=x> "a" & b', 'New leads: 1'],
		leads: [
			{ ...person('<b>Ana</b> $& {{ 1 }}', 'up13@example.com'), notes: '<img src=x> "a" & b' },
		],
		sent: ['1 × created'],
	},
	{
		name: 'formulas',
		file: {
			Leads: [
				['Nome', 'E-mail', 'Valor', 'Tags'],
				[
					{ t: 's', v: 'Ana Souza', f: 'CONCATENATE("Ana"," Souza")' },
					{ t: 's', v: 'up14@example.com', f: 'LOWER("UP14@example.com")' },
					{ t: 'n', v: 1500.5, f: '3001/2' },
					{ t: 'e', v: 42, f: 'NA()' },
				],
			],
		},
		says: [
			'Leads novos: 1',
			'Valor\tvalor',
			'Ana Souza\tup14@example.com\tup14@example.com\t1500.5',
			'Tags\tvazia',
		],
		leads: [{ ...person('Ana Souza', 'up14@example.com'), estimatedValue: 1500.5 }],
		sent: ['1 × criado'],
	},
	{
		name: 'empty',
		file: [Buffer.from(''), 'leads.csv'],
		says: ['It is empty', 'Está vazio', 'Está vacío'],
		corrected: [
			{
				file: { '': [['Nombre', 'Correo']] },
				says: ['No tiene filas debajo de los encabezados', 'El archivo no se envió'],
				button: 'Check it',
			},
			{
				file: {
					'': [
						['Nombre', 'Correo'],
						['Ana', 'up15@example.com'],
					],
				},
				says: ['Leads nuevos: 1'],
				button: 'Revisar',
			},
		],
		leads: [person('Ana', 'up15@example.com')],
		sent: ['1 × creado'],
	},
	{
		name: 'not a spreadsheet',
		file: [Buffer.from('%PDF-1.4\n1 0 obj'), 'leads.pdf'],
		says: ['The file was not sent · O arquivo não foi enviado', 'It is not a CSV or Excel file'],
		corrected: [
			{
				file: [Buffer.from('Ana;up16@example.com\nBia;up17@example.com'), 'leads.csv'],
				says: ['It has no headings: "up16@example.com" in row 1 is a value'],
				button: 'Check it',
			},
			{
				file: [Buffer.from('Name;Email\nAna;up16@example.com;x'), 'leads.csv'],
				says: ['Row 2 has more cells than there are headings'],
				button: 'Check it',
			},
			{
				file: [Buffer.from('Name;Email\nAna;up16@example.com\nBia;up17@example.com'), 'leads.csv'],
				says: ['New leads: 2'],
				button: 'Check it',
			},
		],
		leads: [person('Ana', 'up16@example.com'), person('Bia', 'up17@example.com')],
		sent: ['2 × created'],
	},
];
