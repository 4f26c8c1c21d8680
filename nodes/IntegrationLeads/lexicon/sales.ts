/**
 * Lists the words that say whether a row or an event is a sale, in English, Portuguese and Spanish; data only. A word is added as in
 * headings.ts.
 */
import { NAME_WORDS, OF_DEAL, words } from './headings';

/** Words of a heading that name the state of something. */
export const STATE = words('status state situacao situacion estado estatus');
/** Of these, the ones that are also a part of an address, if two capitals are its value. */
export const STATE_OF_COUNTRY = words('state estado');
/** Words of a heading that name the stage of a deal, and the names of stages that are a sale, with {@link YES}. */
export const STAGE = words('stage etapa estagio fase');
export const OF_STAGE = new Set([...OF_DEAL, ...NAME_WORDS, 'no']);
export const ENDED = words('closed fechado cerrado');
/** Headings whose value names what happened: it is a state if it names an order as well. */
export const EVENT = words(
	'event evento type tipo topic topico action acao accion trigger webhook hook postback notification notificacao name nome',
);
/** Of these, the ones that call it an event and nothing else. */
export const CALLED_EVENT = words('event evento topic topico webhook hook postback');
/** Words of an event that say no more than that something is another now. */
export const CHANGED = words(
	'updated changed modified atualizado atualizada alterado alterada actualizado actualizada modificado modificada',
);
/** Words for the thing whose state it is. */
export const ORDER = words(`
	order payment financial transaction trans sale invoice charge purchase checkout session cart shopping pix boleto billet
	subscription intent pedido pagamento transacao venda compra cobranca fatura carrinho assinatura orden pago venta transaccion factura
	cobro carrito suscripcion dispute`);
/** Words between, and keys of payloads. */
export const BETWEEN = words(`
	data object body payload mode is was foi fue a al as at atual code codigo current da de del detail detalhe detalle do el em en la o of on the`);
/** Words of what was cancelled, given back, refused, lost or a test, by their beginnings; in headings as well. */
export const UNDONE =
	/^(?:abandon|cancel|refund|reembols|estorn|devol|devuel|chargeback|contracargo|anulad|anulac|void|revers|recus|rechaz|declin|refus|lost$|perda|perdid|tests?$|teste$|prueba$|sandbox$|homolog)/;
/** Words beside them in a heading: a date, an amount, a reason. */
export const OF_UNDONE = words(`
	date data fecha amount valor value total monto importe reason motivo quantia type tipo was is foi fue e by por quando when time mode modo ambiente environment`);
/** The same of a value, in any column: of a stage, a type, or the name of an event. */
export const UNSOLD =
	/^(?:fail|falh|reject|rejeit|returned|expired|expirad|orcamento$|presupuesto$|quote$|draft$|rascunho$|borrador$)/;
/** Documents that take something back, as one word. */
export const CREDIT_NOTE = words('creditnote notadecredito notacredito');
/** Headings of where a buyer came from: "Abandono de carrinho" may have brought the sale. */
export const CAME_FROM = words(
	'source origem origen fonte fuente utm campaign campanha campana canal channel medium',
);
/** Words beside them: `closed lost`, `negócio perdido`, `compra cancelada`. */
export const BESIDE_UNSOLD = words(
	'closed fechado fechada negocio deal partial parcial total fully partially note',
);
/** The same of remarks, which say who did it and when: "Cliente cancelou depois". */
export const AROUND_UNDONE = words(`
	ja ya already depois apos despues after later hoje hoy today ontem ayer yesterday pelo pela por by cartao tarjeta card banco bank to`);
/** Words of a heading for one of several payments: "Parcela: 2/3". */
export const INSTALLMENT = words(
	'parcela installment instalment cuota prestacao prestacion mensalidade',
);
/** With a word for an amount, what is still to be paid: "Saldo devedor", "Valor em aberto". */
export const OWED = words(
	'devedor deudor pendente pendiente outstanding aberto restante remaining faltante unpaid',
);
/** Words of a heading for what makes less than the value the whole. */
export const REDUCTION = words(
	'desconto descuento discount cupom cupon coupon taxa tasa fee frete envio shipping abatimento',
);
/** What an event says of an order that is not done yet, or no more, by their beginnings: `Boleto gerado`, `Carrinho abandonado`. */
export const NOT_YET =
	/^(?:abandon|gerad|generat|generad|emitid|issued|criad|cread|created|iniciad|started|initiated|aguard|pend|wait|await|esper|atras|overdue|delay|vencid|late$|past$|print|impress|protest|contest|disput|expir|suspen|paus|inactiv|inativ|trial|unpaid|process|em$|open|abert)/;
/** Headings that ask whether it was paid, or is real. */
export const DONE = words(`
	payment pagamento paid pago pagado aprovado aprobado approved confirmado confirmed quitado concluido completado completed finalizado recebido
	recibido received live livemode`);
/** Words that plainly mean a sale. */
export const YES = words(`
	paid pago pagado approved aprovado aprobado authorizedandpaid complete completed completo completado concluido finalizado
	confirmed confirmado captured capturado charged cobrado settled succeeded success successful sucesso exito faturado facturado invoiced
	fulfilled renewed renovado delivered entregue entregado shipped enviado despachado won ganho ganado vendido sold received recebido recibido liquidado
	quitado compensado disponivel accredited acreditado credited creditado closedwon pagamentoaprovado pagamentoconfirmado
	pagoaprobado pagoconfirmado pedidopago paymentapproved paymentreceived pagamentorecebido yes sim si true ok`);
export const NO = words('no nao false 0 nenhum nenhuma ninguno ninguna none n');
