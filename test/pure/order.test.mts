/** Under which headings a row of a sale has the number of its order. */
import { attempt } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { toSaleOfRow } from '../../nodes/IntegrationLeads/columns/saleRow';

const orderIn = (row: IDataObject) => {
	const input = { 'External ID': 'a', Data: '2026-03-01', Valor: '100,00', ...row };
	const context = { label: 'Specify Sale', timezone: 'UTC', countryCode: '55', input };
	return (toSaleOfRow('columns', context) as IDataObject).order;
};

it.each<IDataObject>([
	{ Pedido: 9 },
	{ 'Nº do pedido': '9' },
	{ 'Número do Pedido': ' #9 ' },
	{ 'ID do pedido': '9' },
	{ 'Cód. pedido': '9' },
	{ order: '9' },
	{ 'Order ID': '9' },
	{ order_number: 9 },
	{ 'Order #': '9' },
	{ Transação: '9' },
	{ 'Código da transação': '9' },
	{ transaction_id: '9' },
	{ transactionId: '9' },
	{ NSU: '9' },
	{ TID: '9' },
	{ 'Invoice no.': '9' },
	{ 'Nº da nota fiscal': '9' },
	{ 'Número de la orden': '9' },
	{ Orden: '9' },
	{ 'N.º de factura': '9' },
	{ 'ID da venda': '9' },
	{ 'ID de la venta': '9' },
	{ payment_id: '9' },
	{ 'Código da compra': '9' },
	{ 'Nº do contrato': '9' },
	{ order: { id: 9, status: 'paid' } },
	{ data: { order: { number: '9' } } },
	{ 'Receipt number': '9' },
	{ 'Nota fiscal': '9' },
	{ Contrato: '9' },
	{ Folio: 9 },
	{ 'Nº da NF': '9' },
	{ 'Ingresso nº': '9' },
	{ 'Booking reference': '9' },
])('%j is order 9', (row) => {
	expect(orderIn(row)).toEqual({ order: '9' });
});

it.each<[IDataObject, string]>([
	[{ 'Order date': '2026-03-01', 'Paid at': '2026-03-02' }, '2026-03-02'],
	[{ Data: '2026-03-05', 'Data do pedido': '2026-03-02' }, '2026-03-02'],
	[
		{ 'Fecha de cierre': '2026-03-05', 'Fecha de cobro y pago': '', 'Fecha de pago': '2026-03-02' },
		'2026-03-02',
	],
	[{ 'Dt. pagto': '2026-03-02', 'Data e hora do pedido': '2026-03-01' }, '2026-03-02'],
	[{ 'Closed date': '2026-03-02', Data: '2026-03-01' }, '2026-03-02'],
	[{ 'Paid at': '2026-03-02', 'Data do pedido (obrigatório)': '2026-03-01' }, '2026-03-02'],
])('of %j, the sale date is %s', (dates, day) => {
	const onLeftOut = jest.fn();
	const input = { 'External ID': 'a', Valor: '100,00', ...dates };
	const context = { label: 'Specify Sale', timezone: 'UTC', input, onLeftOut };
	const { saleDate } = toSaleOfRow('columns', context) as IDataObject;
	expect(saleDate).toContain(day);
	expect(onLeftOut).toHaveBeenCalledTimes(1);
});

it.each<[IDataObject, string | undefined]>([
	[{ 'Order date': '2026-03-01', 'Paid at': '' }, '2026-03-01'],
	[{ 'Order date': '2026-03-01', 'Paid at': '2026-03-02', Status: 'Pendente' }, undefined],
])('of %j, no date is left out', (row, day) => {
	const onLeftOut = jest.fn();
	const input = { 'External ID': 'a', Valor: '100,00', ...row };
	const context = { label: 'Specify Sale', timezone: 'UTC', input, onLeftOut };
	const { saleDate = '' } = toSaleOfRow('columns', context) as IDataObject;
	expect(saleDate).toContain(day ?? '');
	expect(onLeftOut).not.toHaveBeenCalled();
});

it('several numbers of one order are all kept', () => {
	expect(orderIn({ Pedido: '9', NSU: '123' })).toEqual({ order: '9', otherIds: ['123'] });
});

it.each<IDataObject>([
	{ Pedido: 'Camiseta' },
	{ Pedido: '2 camisetas' },
	{ Contrato: '12 meses' },
	{ Pedidos: 3 },
	{ 'Nº de pedidos': 3 },
	{ Orders: 3 },
	{ 'Número de compras': 3 },
	{ 'Data do pedido': '2026-03-01' },
	{ 'Order date': '2026-03-01' },
	{ 'Status do pedido': 'Pago' },
	{ 'Total do pedido': '100,00' },
	{ 'Código do produto': '9' },
	{ 'Customer ID': '9' },
	{ Venda: '100,00' },
	{ Pagamento: 'Pix 1' },
	{ order: { customer: { id: 9 }, items: [{ id: 9 }] } },
	{ ID: 9 },
	{ Número: 9 },
	{ Protocolo: '9' },
])('%j names no order', (row) => {
	expect(orderIn(row)).toBeUndefined();
});

describe('rows of one order', () => {
	const failureOf = (...rows: IDataObject[]) => {
		const inputs = rows.map((row) => ({ Email: 'ana@example.com', Data: '2026-03-01', ...row }));
		const context = { label: 'Specify Sale', timezone: 'UTC', input: inputs[0], inputs };
		const converted: unknown = attempt(toSaleOfRow, 'columns', context);
		return converted instanceof Error ? converted.message : undefined;
	};

	it.each<[string, IDataObject[]]>([
		[
			'with different values',
			[
				{ Pedido: 1, Valor: 50 },
				{ Pedido: 1, Valor: 30 },
			],
		],
		[
			'of different people',
			[
				{ Pedido: 1, Valor: 50 },
				{ Pedido: 1, Valor: 50, Email: 'bia@example.com' },
			],
		],
	])('are refused %s', (reason, rows) => {
		expect(failureOf(...rows)).toContain(reason);
	});

	it.each<IDataObject[][]>([
		[
			[
				{ Pedido: 1, Valor: 50, Produto: 'A' },
				{ Pedido: 1, Valor: 50, Produto: 'B' },
			],
		],
		[[{ Pedido: 1, Valor: 50 }, { Pedido: 2, Valor: 30 }, { Valor: 10 }]],
		// What was not paid, and lines without the total, are no second sale.
		[[{ Pedido: 1, Valor: 50 }, { Pedido: 1, Valor: 60, Status: 'Pendente' }, { Pedido: 1 }]],
		[
			[
				{ Pedido: 1, Valor: 50 },
				{ Pedido: 1, Valor: '50,00', Email: 'ANA@example.com' },
			],
		],
	])('%j are read', (rows) => {
		expect(failureOf(...rows)).toBeUndefined();
	});
});

/** The headings of exports: Shopify, orders as CSV; Hotmart, report of sales. */
it.each<IDataObject>([
	{
		Name: '#1001',
		Email: 'ana@example.com',
		'Paid at': '2026-03-21 10:00:00 -0300',
		Total: '97.00',
	},
	{
		'Código da transação': 'HP1',
		'Status da transação': 'Aprovado',
		'Data da transação': '21/03/2026 10:00:00',
		'Valor de compra sem impostos': '90,00',
		'Valor de compra com impostos': '97,00',
		'Email do(a) Comprador(a)': 'ana@example.com',
	},
])('%j is recorded without a mapping', (input) => {
	const context = {
		label: 'Specify Sale',
		timezone: 'America/Sao_Paulo',
		countryCode: '55',
		input,
	};
	expect(toSaleOfRow('columns', context)).toMatchObject({
		saleDate: expect.stringMatching(/^2026-03-21T1/),
		estimatedValue: 97,
		contact: { email: 'ana@example.com' },
	});
});
