/** Files as people keep them, with what the page of "Upload form → leads" has to say of each before it is sent. */

/** The rows of each sheet, by its name. A file with one sheet without a name is CSV. */
type Sheets = Record<string, unknown[][]>;

interface UploadCase {
	name: string;
	sheets: Sheets;
	/** On the page that asks. */
	says: string[];
	/** Not on that page. */
	silent?: string[];
	/** Uploaded on that page instead, with what it says then. The button is that of the page. */
	corrected?: { sheets: Sheets; says: string[]; button: string };
	/** On the ending page. */
	sent: string[];
}

export const UPLOADS: UploadCase[] = [
	{
		name: 'Portuguese',
		sheets: {
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
		sent: ['2 × criado', 'Colunas não enviadas: "Loja"'],
	},
	{
		name: 'English',
		sheets: {
			'': [
				['Full name', 'Email address', 'Phone', 'Deal value', 'Tags', 'Owner'],
				['Ana Souza', 'up3@example.com', '+1 212 555 0100', '1500', 'vip', 'Joe'],
			],
		},
		says: ['New leads: 1', 'Full name\tname', 'Phone\tphone', 'Tags\ttags', 'Owner\tnot sent'],
		sent: ['1 × created'],
	},
	{
		name: 'Spanish',
		sheets: {
			'': [
				['Nombre', 'Correo electrónico', 'Teléfono', 'Etiquetas'],
				['Ana Souza', 'up4@example.com', '+34 612 345 678', 'vip'],
			],
		},
		says: ['Nombre\tname', 'Correo electrónico\temail', 'Teléfono\tphone', 'Etiquetas\ttags'],
		sent: ['1 × created'],
	},
	{
		name: 'a total below',
		sheets: {
			Leads: [
				['Nome', 'E-mail', 'Valor'],
				['Ana', 'up5@example.com', 100],
				['Bia', 'up6@example.com', 200],
				['Total', '', 300],
			],
		},
		says: ['Linha 4 é um total. Não enviado.', 'Leads novos: 2'],
		sent: ['2 × criado'],
	},
	{
		name: 'two sheets and a cover',
		sheets: {
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
		sent: ['1 × criado', '1 × recusado'],
	},
	{
		name: 'wrong headings',
		sheets: {
			'': [
				['Quem', 'Endereço eletrônico', 'Fone de contato'],
				['Ana', 'up9@example.com', '+55 11 94000-0009'],
			],
		},
		says: ['Quem\tnão é enviada'],
		corrected: {
			sheets: {
				'': [
					['Nome', 'E-mail', 'Telefone'],
					['Ana', 'up9@example.com', '+55 11 94000-0009'],
				],
			},
			says: ['Nome\tnome', 'E-mail\te-mail', 'Telefone\ttelefone', 'Leads novos: 1'],
			button: 'Enviar 1 linha',
		},
		sent: ['1 × criado'],
	},
	{
		name: 'no row that can be sent',
		sheets: {
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
		corrected: {
			sheets: {
				'': [
					['Nome', 'Telefone'],
					['Ana', '+55 11 94000-0010'],
				],
			},
			says: ['Leads novos: 1'],
			button: 'Conferir',
		},
		sent: ['1 × criado'],
	},
	{
		name: 'a title above, and people who are there',
		sheets: {
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
		sent: ['1 × criado', '1 × atualizado'],
	},
	{
		name: 'one person twice',
		sheets: {
			'': [
				['Nome', 'E-mail', 'Tags'],
				['Davi', 'up12@example.com', 'a'],
				['Davi', 'up12@example.com', 'b'],
			],
		},
		says: ['Leads novos: 1', 'Leads que seriam atualizados: 1'],
		sent: ['Resultado de 2 linhas'],
	},
	{
		name: 'markup and signs in cells',
		sheets: {
			'': [
				['Name', 'Email', 'Notes'],
				['<b>Ana</b> $& {{ 1 }}', 'up13@example.com', '<img src=x> "a" & b'],
			],
		},
		says: ['<img src=x> "a" & b', 'New leads: 1'],
		sent: ['1 × created'],
	},
];
