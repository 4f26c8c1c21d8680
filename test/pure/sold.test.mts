/** Which rows of orders are no sales: mc-magento2 274, woocommerce-admin 4557 and 2522, facebook-for-magento2 75 (26 Nov 2026). */
import type { IDataObject } from 'n8n-workflow';

import { toSaleOfRow } from '../../nodes/IntegrationLeads/columns/columns';

const soldIn = (row: IDataObject) => {
	const input = { 'External ID': 'a', 'Data da venda': '2026-03-01', Valor: '100,00', ...row };
	const context = { label: 'Specify Sale', timezone: 'UTC', countryCode: '55', input };
	return (toSaleOfRow('columns', context) as IDataObject).notSold;
};

it.each<IDataObject>([
	{ Status: 'Cancelado' },
	{ 'Financial Status': 'refunded' },
	{ 'Payment status': 'partially_refunded' },
	{ 'Status do pagamento': 'Aguardando pagamento' },
	{ Status: 'Não pago' },
	{ Situação: 'Estornada' },
	{ Estado: 'Rechazado' },
	{ 'Estado del pago': 'Pendiente' },
	{ order: { status: 'on-hold' } },
	{ Status: 'Pedido' },
	{ Status: 'CA' },
	{ status_code: '7' },
	{ Etapa: 'Perdido' },
	{ Fase: 'Negócio perdido' },
	{ 'Deal Stage': 'Closed Lost' },
	{ Etapa: 'Negociação' },
	{ 'Deal stage': 'Proposal sent' },
	{ event: 'PURCHASE_REFUNDED' },
	{ event: 'refund.processed' },
	{ evento: 'compra_cancelada' },
	{ topic: 'orders/cancelled' },
	{ topic: 'orders/updated' },
	{ event: 'lead.created' },
	{ event: 'affiliate.commission' },
	{ 'Tipo de abandono': 'Falhou' },
	{ type: 'invoice.payment_failed' },
	{ 'Tipo de transação': 'Estorno' },
	{ 'Transaction Type': 'Refund' },
	{ 'Confirmado?': 'não' },
	{ Status: 'Pagamento não confirmado' },
	{ Tipo: 'Orçamento' },
	{ 'Order type': 'Draft' },
	{ 'Motivo da recusa': 'Sem saldo' },
	{ 'Lost reason': 'Price' },
	{ 'Test order': 'true' },
	{ test: true },
	{ 'Cancelled at': '2026-03-11' },
	{ 'Data do reembolso': '11/03/2026' },
	{ 'Motivo do cancelamento': 'Prazo' },
	{ 'Refunded amount': '50,00' },
	{ Estorno: 'R$ 100,00' },
	{ Cancelado: 'sim' },
	{ Pago: 'não' },
	{ Valor: '-100,00' },
	{ Valor: 'R$ -100,00' },
	{ Valor: '(100,00)' },
	{ Valor: -100 },
])('%j is no sale', (row) => {
	const [heading] = Object.keys(row);
	expect(soldIn(row)).toMatch(new RegExp(`^"${heading}.*" is `));
});

it.each<IDataObject>([
	{},
	{ Status: '' },
	{ Status: 'Aprovada' },
	{ 'Financial Status': 'paid', 'Fulfillment Status': 'unfulfilled' },
	{ 'Order Status': 'wc-completed' },
	{ 'Status do pedido': 'Concluído' },
	{ 'Estado del pago': 'Aprobado', Estado: 'SP' },
	{ Status: 'Venda concluída', event: 'PURCHASE_APPROVED' },
	{ Observações: 'Antes tinha cancelado o plano de testes', Produto: 'Seguro Cancelamento' },
	{ 'Refunded amount': '0,00', 'Cancelled at': '' },
	{ 'Cancelled at': '-' },
	{ Status: 'Paid', State: 'NY' },
	{ Status: 'closed_won' },
	{ Cancelado: 'não', Reembolsado: false },
	{ Pago: 'sim' },
	{ 'Status do lead': 'novo', 'Estado civil': 'Casada' },
	{ 'Status da entrega': 'em trânsito' },
	{ 'Política de cancelamento': '7 dias' },
	{ Teste: 'não', test: false },
	{ Etapa: 'Fechado', Tipo: 'Novo' },
	{ 'Estágio no funil': 'Negócio ganho' },
	{ event: 'subscription.charged' },
	{ event: 'invoice.updated', status: 'paid' },
	{ Produto: 'Test drive', Motivo: 'Cancelamento do plano antigo' },
])('%j is one', (row) => {
	expect(soldIn(row)).toBeUndefined();
});
