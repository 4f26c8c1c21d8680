/**
 * Lists the words that say whether a row or an event is a sale, in English, Portuguese and Spanish; data only. A word is added as in
 * headings.ts. What a heading is about is in {@link COLUMN_ROLES}, what a value says in {@link SAYINGS}.
 */
import { BUYER, FILLERS, MONEY, NAME_WORDS, OF_DEAL, PERSON, TOTALS, words } from './headings';

/** Words, or how they begin. */
export type Table = Set<string> | RegExp;

/** A text by its words: it has one of each table that it needs, and all of its others are of these or of those beside them. */
export interface Phrase {
	needs: Table[];
	/** Without it, the other words do not matter. */
	beside?: Table[];
}

const union = (...tables: Array<Set<string>>) => new Set(tables.flatMap((table) => [...table]));

// ---- Words of headings

/** They name the state of something. */
export const STATE = words('status state situacao situacion estado estatus');
/** Of these, the ones that are also a part of an address, if two capitals are its value. */
export const STATE_OF_COUNTRY = words('state estado');
/** They name the stage of a deal. */
export const STAGE = words('stage etapa estagio fase');
export const OF_STAGE = union(OF_DEAL, NAME_WORDS, words('no'));
/** They call what happened an event and nothing else, or a kind of something. */
const EVENT = words('event evento topic topico webhook hook postback');
const KIND_OF_EVENT = words('type tipo action acao accion trigger notification notificacao');
/** Words for the thing whose state it is. */
export const ORDER = words(`
	order payment financial transaction trans sale invoice charge purchase checkout session cart shopping pix boleto billet
	subscription intent pedido pagamento transacao venda compra cobranca fatura carrinho assinatura orden pago venta transaccion factura
	cobro carrito suscripcion dispute`);
/** Words between, and keys of payloads. */
export const BETWEEN = words(`
	data object body payload fields field answers form mode is was foi fue a al as at atual auto code codigo current da de del detail detalhe
	detalle do el em en la o of on the`);
const AROUND_ORDER = union(ORDER, BETWEEN);
export const NUMBERS = /^\d+$/;
/** What was cancelled, given back, refused, lost or a test; in values as well. */
export const UNDONE =
	/^(?:abandon|cancel|refund|reembols|estorn|devol|devuel|chargeback|contracargo|anulad|anulac|void|revers|recus|rechaz|declin|refus|lost$|perda|perdid|tests?$|teste$|prueba$|sandbox$|homolog)/;
/** Words beside them: a date, an amount, a reason. */
const OF_UNDONE = words(`
	date data fecha amount valor value total monto importe reason motivo quantia type tipo was is foi fue e by por quando when time mode modo ambiente environment`);
/** They ask whether it was paid, or is real. */
export const DONE = words(`
	payment pagamento paid pago pagado aprovado aprobado approved confirmado confirmed quitado concluido completado completed finalizado recebido
	recibido received live livemode`);
const AMOUNT_WORDS = union(MONEY, TOTALS);
/** With a word for an amount, what is still to be paid: "Saldo devedor", "Valor em aberto". */
const OWED = words(
	'devedor deudor pendente pendiente outstanding aberto restante remaining faltante unpaid',
);
/** One of several payments: "Parcela: 2/3". */
const INSTALLMENT = words('parcela installment instalment cuota prestacao prestacion mensalidade');
/** What makes less than the value the whole. */
const REDUCTION = words(
	'desconto descuento discount cupom cupon coupon taxa tasa fee frete envio shipping abatimento',
);
/** Where a buyer came from: "Abandono de carrinho" may have brought the sale. */
const CAME_FROM = words(
	'source origem origen fonte fuente utm campaign campanha campana canal channel medium',
);
const REMARK = /^(?:not[ae]s?$|obs$|anotac|observac|coment|comment)/;

/** What a column is about, by the words of its heading and of the objects that hold it. */
export const COLUMN_ROLES = {
	origin: { needs: [CAME_FROM] },
	reduction: { needs: [REDUCTION] },
	remark: { needs: [REMARK] },
	state: { needs: [STATE], beside: [AROUND_ORDER] },
	stage: { needs: [STAGE], beside: [AROUND_ORDER, OF_STAGE] },
	event: { needs: [EVENT], beside: [KIND_OF_EVENT, NAME_WORDS, BETWEEN] },
	kind: { needs: [KIND_OF_EVENT], beside: [NAME_WORDS, BETWEEN] },
	undone: { needs: [UNDONE], beside: [AROUND_ORDER, OF_UNDONE] },
	installment: { needs: [INSTALLMENT], beside: [FILLERS] },
	owed: { needs: [OWED, AMOUNT_WORDS], beside: [AROUND_ORDER] },
	paid: { needs: [DONE, AMOUNT_WORDS], beside: [BETWEEN] },
	done: { needs: [DONE], beside: [AROUND_ORDER] },
} satisfies Record<string, Phrase>;

// ---- Words of values

/** Plainly a sale. */
export const YES = words(`
	paid pago pagado approved aprovado aprobado complete completed completo completado concluido finalizado
	confirmed confirmado captured capturado charged cobrado settled succeeded success successful sucesso exito faturado facturado invoiced
	fulfilled renewed renovado renew renewal renovacao renovacion delivered entregue entregado shipped enviado despachado won ganho ganado vendido closedwon
	sold received recebido recibido liquidado quitado compensado disponivel accredited acreditado credited creditado pagamentoaprovado
	pagamentoconfirmado pagoaprobado pagoconfirmado pedidopago paymentapproved paymentreceived pagamentorecebido yes sim si true ok`);
export const NO = words('no nao false 0 nenhum nenhuma ninguno ninguna none n');
/** The last stages of a deal. */
export const ENDED = words('closed fechado cerrado');
/** Beside a plain yes: `closed_won`, `authorized and paid`. */
const BESIDE_YES = union(ENDED, words('and authorized'));
/** What rules out a sale, whatever column says it: of a stage, a type, or the name of an event. */
const UNSOLD =
	/^(?:fail|falh|reject|rejeit|returned|expired|expirad|orcamento$|presupuesto$|quote$|draft$|rascunho$|borrador$)/;
/** Words beside it: `closed lost`, `negócio perdido`, `compra cancelada`. */
const BESIDE_UNSOLD = words('closed fechado negocio deal partial parcial total fully partially');
/** The same in remarks, which say who did it and when: "Cliente cancelou depois". */
const AROUND_UNDONE = union(
	BUYER,
	PERSON,
	words(`
	ja ya already depois apos despues after later hoje hoy today ontem ayer yesterday pelo pela por by cartao tarjeta card banco bank to`),
);
/** What is not done yet, or no more, by the beginnings of words: `Boleto gerado`, `Carrinho abandonado`. */
export const NOT_YET =
	/^(?:abandon|gerad|generat|generad|emitid|issued|criad|cread|created|iniciad|started|initiated|aguard|pend|wait|await|esper|atras|overdue|delay|vencid|late$|past$|print|impress|protest|contest|disput|expir|suspen|paus|inactiv|inativ|trial|unpaid|process|em$|open|abert|not$|nao$)/;
const anyOf = (...tables: RegExp[]) => new RegExp(tables.map(({ source }) => source).join('|'));

/** What a value says. */
export const SAYINGS = {
	/** A yes, also with a word for what it is about: `Venda concluída`. */
	sold: { needs: [YES], beside: [AROUND_ORDER, BESIDE_YES, NUMBERS] },
	/** The same of the stage of a deal: `Fechado`, `Negócio ganho`. */
	won: { needs: [union(YES, ENDED)], beside: [AROUND_ORDER, OF_STAGE] },
	/** `Pendente`, `Aguardando pagamento`. */
	toCome: { needs: [NOT_YET], beside: [AROUND_ORDER] },
	unsold: { needs: [anyOf(UNDONE, UNSOLD)], beside: [AROUND_ORDER, BESIDE_UNSOLD] },
	creditNote: { needs: [words('note nota'), words('credit credito')], beside: [BETWEEN] },
	/** Of remarks, and no more: "Reembolsado em 20/11", but no "Cancelou o plano antigo". */
	undone: { needs: [UNDONE], beside: [AROUND_ORDER, BESIDE_UNSOLD, AROUND_UNDONE, NUMBERS] },
	ofOrder: { needs: [ORDER], beside: [BETWEEN] },
} satisfies Record<string, Phrase>;
