/**
 * Lists the words that say whether a row or an event is a sale, in English, Portuguese and Spanish; data only. A word is added as in
 * headings.ts. What a heading is about is in {@link COLUMN_ROLES}, what a value says in {@link SAYINGS}.
 */
import {
	BUYER,
	CLOSING,
	DATE_WORDS,
	FILLERS,
	MONEY,
	NAME_WORDS,
	OF_DEAL,
	PERSON,
	TOTALS,
	words,
} from './headings';

/** Words, or how they begin, or several of these. */
export type Table = Set<string> | RegExp | Table[];

/** A text by its words: it has one of each table that it needs, and all of its others are of these or of those beside them. */
export interface Phrase {
	needs: Table[];
	/** Without it, the other words do not matter. */
	beside?: Table[];
}

const union = (...tables: Array<Set<string>>) => new Set(tables.flatMap((table) => [...table]));

// ---- Words of headings

/** A lead that was received, or approved, has bought nothing yet. */
export const DEAL = new Set([...OF_DEAL].filter((word) => word !== 'lead'));

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
	cobro carrito suscripcion`);
/** What comes before an order. */
const OFFER = words('contract contrato proposal proposta propuesta quote orcamento presupuesto');
/** Words between, and keys of payloads. */
export const BETWEEN = words(`
	data object body payload fields field answers form mode is was foi fue a al as at atual auto code codigo current da de del detail detalhe
	detalle do el em en la o of on the`);
/** What is called by its number: "Pedido" is that of one, also alone. */
const NUMBERED = words(
	'order pedido encomenda orden transaction trans transacao transaccion invoice fatura factura nsu tid nf nfe contract contrato receipt recibo comprobante folio comanda',
);
/** A heading with one of these and a word for a number is that of an order as well. */
const NUMBERED_WITH_WORD = words(`
	sale venda venta purchase compra payment pagamento pago charge cobranca cobro checkout boleto nota
	ticket ingresso entrada booking reserva reservation`);
export const OF_NUMBERED = union(NUMBERED, NUMBERED_WITH_WORD);
const ID_WORDS = words(
	'id uuid code codigo cod ref reference referencia identifier identificador num numero number no nº n º nr nro',
);
/** The headings of the number of an order. */
export const ORDER_HEADINGS: Phrase[] = [
	{ needs: [NUMBERED], beside: [ID_WORDS, FILLERS] },
	{ needs: [OF_NUMBERED, [ID_WORDS, words('fiscal')]], beside: [FILLERS] },
];
const AROUND_ORDER = union(ORDER, BETWEEN);
export const NUMBERS = /^\d+$/;
/** What was cancelled, given back or disputed. */
export const TAKEN_BACK =
	/^(?:cancel|refund|reembols|reintegr|estorn|devol|devuel|returns?$|returned$|distrat|rescis|charged?back|contracargo|anulad|anulac|void|revers|disput)/;
/** Written apart: `charge_back`. */
const CHARGED_BACK = [words('back'), words('charge charged')];
/** What is a test. */
const TEST = /^(?:tests?$|teste$|prueba$|sandbox$|homolog)/;
/** All that makes a sale none, also what was refused or lost; in values as well. */
export const UNDONE: Table = [
	TAKEN_BACK,
	/^(?:abandon|recus|rechaz|declin|refus|reprov|reprob|negad|denied$|lost$|perda|perdid|desist|inadimpl|delet|excluid|rascunho$|draft$|borrador$)/,
	TEST,
];
/** An order that is done with: beside another column, it may be paid. */
const ARCHIVED = /^(?:archived$|archivad|arquivad)/;
/** What is paid to the seller, and by no buyer. */
export const PAYOUT = /^(?:payout|repass|saque|withdraw|desembols)/;
/** With them, a heading tells whether it could be undone: "Política de cancelamento", `refundable`. A policy may itself be cancelled. */
const CONDITION =
	/^(?:politic|terms$|termos$|terminos$|condi[ct])|^(?:cancel|refund|reembols|devol).*(?:ble|vel)$/;
/** Only a part of it: `Parcialmente`, "Pagamento parcial". */
const PARTIAL =
	/^(?:parcial|partial|partly|partes?$|part$|half$|metade$|mitad$|anticipo$|adiantamento$|sinal$|sena$|abono$)/;
/** What is paid after a part. As a heading, it may be an amount of zero. */
const REST = words('saldo balance resto restante rest');
/** Alone, the heading of a part that was paid before the rest. */
const DOWN_PAYMENT = words('anticipo adiantamento');
/** Words beside them: a date, an amount, a reason. */
const OF_UNDONE = words(`
	date data fecha amount valor value total monto importe reason motivo quantia type tipo was is foi fue e by por quando when time mode modo ambiente environment
	requested solicitado processed processado procesado issued emitido efetuado efectuado realizado made feito hecho ao to`);
/** They ask whether it is real, or still in force. */
const LIVE = words('live livemode ativo activo active vigente valid valido');
/** They ask whether it was paid, or sold. */
export const DONE = words(`
	payment pagamento paid pago pagado aprovado aprobado approved confirmado confirmed quitado concluido completado completed finalizado recebido
	recibido received won ganho ganado sold vendido closed fechado cerrado comprou compro bought convertido converted assinado firmado signed fechou cerro vendeu vendio assinou firmo pagou cobrado charged decision decisao
	aprovacao aprobacion approval antifraude antifraud pgto pagto captured settled settlement recebimento liquidacao quitacao cobro`);
/** Without a yes or a no, they name how something was paid. */
export const PAYMENT_NOUNS = words(
	'payment pagamento pgto pagto recebimento cobro approval aprovacao aprobacion',
);
const AMOUNT_WORDS = union(MONEY, TOTALS);
/** With an amount, what is still to be paid: "Saldo devedor", "Valor em aberto". */
const OWED = words(
	'devedor deudor pendente pendiente outstanding aberto restante remaining resta resto falta faltante unpaid receber saldo balance owed owing overdue debt divida deuda adeudado',
);
/** One of several payments: "Parcela: 2/3". */
export const INSTALLMENT = words(
	'parcela installment instalment cuota prestacao prestacion mensalidade',
);
/** Of several, how many are paid: "Parcelas pagas". */
export const PAID = /^(?:paid$|pagas?$|pagad|quitad|recebid|recibid)/;
/** A later payment of a subscription, whose sale was the first one; not `Renovação automática`, and no "Renova". */
export const RENEWAL = /^(?:renova[cd]|renew(?:al|ed)|rebill)/;
/** With a number, which payment of a subscription it is: "Recorrência: 3". */
const RECURRENCE = words(
	'recorrencia recurrencia recurrence recorrente recurrente recurring ciclo cycle',
);
/** "Parent order" names an order, though a parent is another person. */
export const PARENT_OF_ORDER = /^(?:parent|pai)$/;
/** With a small number, which payment it is: "Payment number: 2", "Cobrança nº: 3". */
const PAYMENT_OF_SEVERAL = words('payment pagamento pago charge cobranca cobro billing');
const PLACE_WORDS = words('number numero num nº º nr nro sequence sequencia secuencia');
const PERIOD = words('anual annual yearly mensal mensual monthly semestral trimestral');
/** With these, how many there are: "Total de parcelas". */
const COUNTING = words('total qtd qtde quantidade quantity qty count cantidad');
/** Behind a number, they make it that of one: `2ª parcela`. */
export const ORDINAL_MARKS = words('ª º a o ro ra er st nd rd th');
const BESIDE_NUMBER = union(ORDINAL_MARKS, words('atual current actual pagou quitou'));
/** What makes less than the value the whole. */
const REDUCTION = words(
	'desconto descuento discount cupom cupon coupon taxa tasa fee frete envio shipping abatimento bolsa beca scholarship',
);
/** Where a buyer came from: "Abandono de carrinho" may have brought the sale. */
const CAME_FROM = words(
	'source origem origen fonte fuente utm campaign campanha campana canal channel medium',
);
/** What is only expected of a deal; of what was sold, a delivery may be. */
const EXPECTED = words(
	'expected previsto previsao prevision estimado forecast probability probabilidade probabilidad chance',
);
/** A value under a heading with one of them is not what was paid. */
export const ESTIMATED = union(EXPECTED, OFFER, words('medio media average avg'));
const OF_EXPECTED = union(CLOSING, DATE_WORDS, words('percent porcentagem'));
/** What was bought, and with which code: a product may be called `Teste`. */
const PRODUCT = words(
	'product produto producto item article artigo articulo plan plano curso course offer oferta service servico servicio sku variant variante lineitem',
);
const COUPON = words('cupom cupon coupon voucher promo promocional discount desconto descuento');
const OF_PRODUCT = words('title titulo line');
const REMARK = /^(?:not[ae]s?$|obs$|anotac|observac|coment|comment)/;

/** What a column is about, by the words of its heading and of the objects that hold it. */
export const COLUMN_ROLES = {
	origin: { needs: [CAME_FROM] },
	coupon: { needs: [COUPON], beside: [REDUCTION, NAME_WORDS, AROUND_ORDER, FILLERS, NUMBERS] },
	reduction: { needs: [REDUCTION] },
	remark: { needs: [REMARK] },
	state: { needs: [STATE], beside: [AROUND_ORDER, DEAL] },
	stage: { needs: [STAGE], beside: [AROUND_ORDER, OF_STAGE] },
	event: { needs: [EVENT], beside: [KIND_OF_EVENT, NAME_WORDS, BETWEEN] },
	kind: { needs: [KIND_OF_EVENT], beside: [NAME_WORDS, BETWEEN] },
	expected: { needs: [EXPECTED], beside: [OF_EXPECTED, AROUND_ORDER, OF_DEAL, /^[%]$/] },
	condition: { needs: [TAKEN_BACK, CONDITION] },
	undone: [
		{
			needs: [[UNDONE, ARCHIVED]],
			beside: [AROUND_ORDER, OF_UNDONE, STATE, DONE, PARTIAL, FILLERS, BUYER],
		},
		{ needs: CHARGED_BACK },
		{ needs: [PARTIAL, union(ORDER, DONE, DOWN_PAYMENT)], beside: [BETWEEN] },
	],
	takenBack: { needs: [[TAKEN_BACK, PAYOUT]] },
	installment: { needs: [INSTALLMENT], beside: [FILLERS, AROUND_ORDER, DONE, BESIDE_NUMBER] },
	owed: { needs: [OWED], beside: [AMOUNT_WORDS, AROUND_ORDER, words('pagar due')] },
	paid: { needs: [DONE, AMOUNT_WORDS], beside: [BETWEEN] },
	live: { needs: [LIVE], beside: [AROUND_ORDER] },
	done: { needs: [DONE], beside: [AROUND_ORDER, OFFER, DATE_WORDS, words('dt at')] },
	product: {
		needs: [PRODUCT],
		beside: [NAME_WORDS, OF_PRODUCT, AROUND_ORDER, FILLERS, NUMBERS],
	},
	renewal: [
		{ needs: [[RENEWAL, RECURRENCE]], beside: [FILLERS, ORDER, words('is billing'), NUMBERS] },
		{ needs: [PAYMENT_OF_SEVERAL, PLACE_WORDS], beside: [FILLERS] },
	],
	payment: {
		needs: [union(ORDER, OFFER)],
		beside: [BETWEEN, KIND_OF_EVENT, OF_UNDONE, FILLERS],
	},
} satisfies Record<string, Phrase | Phrase[]>;
/** How many installments there are. */
export const INSTALLMENT_COUNT = {
	needs: [INSTALLMENT],
	beside: [COUNTING, FILLERS, AROUND_ORDER],
} satisfies Phrase;

// ---- Words of values

/** Plainly a sale, whatever it is of: it is paid, done or won. */
export const YES = words(`
	paid pago pagado approved aprovado aprobado complete completed completo completado concluido finalizado
	confirmed confirmado captured capturado charged cobrado settled efetivado succeeded success successful sucesso exito
	won ganho ganado vendido closedwon sold liquidado quitado compensado accredited acreditado credited creditado pagamentoaprovado
	pagamentoconfirmado pagoaprobado pagoconfirmado pedidopago paymentapproved paymentreceived pagamentorecebido yes sim si true verdadeiro verdadero ok`);
/** Money that has come is a sale; an order, or a boleto, that somebody received is not yet paid. */
const RECEIVED = words('received recebido recibido disponivel disponible');
const MONEY_TO_COME = words(
	'payment pagamento pago pix transaction transacao transaccion charge cobranca cobro',
);
/** An order that was delivered is done; a boleto or a proposal is not. */
const DELIVERED = words('delivered entregue entregado fulfilled');
/** A sale that was made is one; an order that was made is not yet paid. */
const MADE = words('made realizado efetuado efectuado');
const SALE = words('sale venda venta');
const ORDERED = union(SALE, words('order pedido orden purchase compra'));
/** They only say that something was sent, or that there is a bill for it. */
const SENT =
	/^(?:sent$|enviad|registrad|shipped$|despachad|dispatched$|faturad|facturad|invoiced$|billed$)/;
/** It is on its way to the buyer, or not yet done with. */
const ON_ITS_WAY = words(
	'open aberto abierto enviar separacao preparacao preparacion preparando transito envio entrega retirada retiro',
);
/** Something was done, whatever it is. */
const ANY_DONE: Table = [YES, RECEIVED, DELIVERED, SENT];
/** A yes in a column of yes and no. */
export const TICK = /^\s*(?:[sxy]|[✓✔✅☑👍🟢]\uFE0F?)\s*$/iu;
export const NO = words('no nao false falso 0 nenhum nenhuma ninguno ninguna none n');
/** The last stages of a deal. */
export const ENDED = words('closed fechado cerrado');
/** Beside a plain yes: `closed_won`, `authorized and paid`. */
const BESIDE_YES = union(ENDED, words('and e y authorized'));
/** What only comes before a sale, or is given instead of one. */
const NO_SALE = words(`
	proposal proposta propuesta cotacao cotizacion estimate trial sample amostra muestra gift brinde cortesia courtesy bonificacao
	bonificacion bonus troca exchange cambio`);
/** What rules out a sale, whatever column says it: of a stage, a type, or the name of an event. */
const UNSOLD =
	/^(?:fail|falh|reject|rejeit|returned|duplic|expired|expirad|orcamento$|presupuesto$|quote$|comiss|commission|comision)/;
/** Words beside it: `closed lost`, `negócio perdido`, `compra cancelada`. */
const BESIDE_UNSOLD = words('closed fechado negocio deal partial parcial total fully partially');
/** A refund or a payout that was not, in a column of one: `Não solicitado`, "No refund". */
export const DENIAL = words(
	'no nao not sem sin without never nunca non none nenhum nenhuma ninguno',
);
const BESIDE_DENIAL = words('requested solicitado aplica aplicavel applicable ha hay houve hubo');
/** Of an order or a deal, it leaves open to what: `invoice.updated`. */
const UPDATED = /^(?:updat|atualiz|actualiz|chang|modif|edit|alter)/;
/** Who did it and when: "Cliente cancelou depois". */
const AROUND_UNDONE = union(
	BUYER,
	PERSON,
	words(`
	ja ya already depois apos despues after later hoje hoy today ontem ayer yesterday pelo pela por by cartao tarjeta card banco bank to`),
);
/** What is not done yet, or no more, by the beginnings of words: `Boleto gerado`, `Carrinho abandonado`. */
export const NOT_YET =
	/^(?:abandon|gerad|generat|generad|emitid|issued|criad|cread|created|iniciad|started|initiated|aguard|pend|wait|await|esper|atras|overdue|delay|vencid|falt|late$|past$|print|impress|protest|contest|disput|expir|suspen|paus|inactiv|inativ|trial|unpaid|process|em$|open|abert|not$|nao$)/;

/** What a value says. */
export const SAYINGS = {
	/** A yes, also with a word for what it is about: `Venda concluída`, `Pago e enviado`. */
	sold: [
		{ needs: [YES], beside: [AROUND_ORDER, BESIDE_YES, NUMBERS] },
		{ needs: [words('paid pago pagado')], beside: [AROUND_ORDER, BESIDE_YES, ANY_DONE] },
		{ needs: [RECEIVED], beside: [MONEY_TO_COME, BETWEEN, NUMBERS] },
		{ needs: [DELIVERED], beside: [ORDERED, BETWEEN, AROUND_UNDONE, NUMBERS] },
		{ needs: [SALE, MADE], beside: [BETWEEN] },
	],
	/** `Boleto enviado`, `Faturado`, `Aguardando envio`, `Arquivado`: another column may say that it is paid. */
	sent: {
		needs: [[SENT, ON_ITS_WAY, ARCHIVED]],
		beside: [
			AROUND_ORDER,
			OFFER,
			AROUND_UNDONE,
			words('ao email whatsapp sms aguardando esperando awaiting pronto listo ready para curso'),
			NUMBERS,
		],
	},
	/** `Renovação`, `subscription.renewed`. */
	renewal: {
		needs: [[RENEWAL, words('mensalidade mensualidad cycle')]],
		beside: [AROUND_ORDER, ANY_DONE, PERIOD, NUMBERS],
	},
	/** The same of the stage of a deal: `Fechado`, `Negócio ganho`. */
	won: { needs: [union(YES, ENDED)], beside: [AROUND_ORDER, OF_STAGE] },
	/** `Pendente`, `Aguardando pagamento`. */
	toCome: {
		needs: [NOT_YET],
		beside: [AROUND_ORDER, OFFER, AROUND_UNDONE, words('pagou comprou')],
	},
	/** Also that this was done: `Reembolso aprovado`. */
	unsold: {
		needs: [[UNDONE, PAYOUT, UNSOLD, NO_SALE]],
		beside: [AROUND_ORDER, BESIDE_UNSOLD, ANY_DONE],
	},
	/** Any yes of a column about a refund. */
	affirmed: { needs: [[ANY_DONE, words('1 x s y')]], beside: [AROUND_ORDER, PARTIAL, NUMBERS] },
	/** Behind a word of {@link DENIAL}: `Não assinado`, `no pagó`, "Sem venda". */
	doneOrSale: {
		needs: [[DONE, SALE, words('fatura faturar facturar invoice')]],
		beside: [AROUND_ORDER, OFFER, AROUND_UNDONE],
	},
	denied: { needs: [DENIAL], beside: [[TAKEN_BACK, PAYOUT], BESIDE_DENIAL] },
	partial: { needs: [[PARTIAL, REST]], beside: [AROUND_ORDER, DONE, ANY_DONE, NUMBERS] },
	/** In a column about whether it was paid: `Pagou metade`. */
	anyPart: { needs: [PARTIAL] },
	ofPart: { needs: [PARTIAL, union(ORDER, DONE)], beside: [BETWEEN, ANY_DONE] },
	/** `payout.paid` */
	done: { needs: [ANY_DONE] },
	chargedBack: { needs: CHARGED_BACK },
	/** Of a line of an order: `Devolução`. A product may well be called `Teste`. */
	takenBack: [[[TAKEN_BACK, PAYOUT]], CHARGED_BACK].map((needs) => ({
		needs,
		beside: [AROUND_ORDER, BESIDE_UNSOLD, ANY_DONE, NUMBERS],
	})),
	dealWon: { needs: [DEAL, words('won ganho ganado vendido sold')], beside: [ENDED, BETWEEN] },
	/** A whole name: nobody is called so. */
	test: { needs: [TEST], beside: [NAME_WORDS, BETWEEN] },
	updated: { needs: [UPDATED, union(ORDER, DEAL)] },
	/** One of several payments, in any column: `Parcela 2/3`. */
	installment: {
		needs: [INSTALLMENT, NUMBERS],
		beside: [FILLERS, AROUND_ORDER, DONE, BESIDE_NUMBER],
	},
	creditNote: { needs: [words('note nota'), words('credit credito')], beside: [BETWEEN] },
	/** Of remarks, and no more: "Reembolsado em 20/11", but no "Cancelou o plano antigo". */
	undone: { needs: [UNDONE], beside: [AROUND_ORDER, BESIDE_UNSOLD, AROUND_UNDONE, NUMBERS] },
	ofOrder: { needs: [ORDER], beside: [BETWEEN] },
} satisfies Record<string, Phrase | Phrase[]>;
/** In the keys of programs, these often count cents. */
export const OFTEN_IN_CENTS = words('amount');
