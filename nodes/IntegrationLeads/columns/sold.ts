/** Decides whether a row is a sale: an order or a payment that was cancelled, refunded or not paid is not. Pure. */
import { deburr, difference, partition } from 'lodash';

import { isBlank, show } from '../values/convert';
import { normalizeHeading, rememberByPath, wordsOf } from './headings';
import type { ColumnMatch } from './person';
import type { Column } from './read';

const words = (text: string) => text.split(' ');

/** Words of a heading that name the state of something. */
const STATE = words('status state situacao situacion estado estatus');
/** Words for the thing whose state it is, and words between. */
const OF_ORDER = words(
	'order orders payment payments financial transaction trans sale sales invoice charge purchase data object body payload ' +
		'pedido pedidos pagamento transacao venda compra cobranca fatura orden pago venta transaccion factura cobro ' +
		'a al at as atual code codigo current da de del detail detalhe detalle do el em en la o of on the',
);
/** Words of a heading about what was cancelled, given back, refused, lost or a test, by their beginnings. */
const UNDONE =
	/^(?:cancel|refund|reembols|estorn|devol|devuel|chargeback|contracargo|anulad|anulac|void|revers|recus|rechaz|declin|refus|lost$|perda|perdid|tests?$|teste$|prueba$)/;
/** Words beside them: a date, an amount, a reason. */
const OF_UNDONE = words(
	'date data fecha amount valor value total monto importe reason motivo quantia was is foi fue e by por quando when time',
);
/** The same of a value, in any column: of a stage, a type, or the name of an event. */
const UNSOLD =
	/^(?:fail|falh|reject|rejeit|returned|expired|expirad|orcamento$|presupuesto$|quote$|draft$|rascunho$|borrador$)/;
/** Words beside them: `closed lost`, `negócio perdido`, `compra cancelada`. */
const BESIDE_UNSOLD = words(
	'closed fechado fechada negocio deal partial parcial total fully partially note',
);
const MAX_WORDS_OF_STATE = 4;
/** Headings that ask whether it was paid. */
const DONE = words(
	'paid pago pagado aprovado aprobado approved confirmado confirmed quitado concluido completado completed finalizado ' +
		'recebido recibido received',
);

/** The words that plainly mean a sale. */
const YES = words(
	'paid pago pagado approved aprovado aprobado authorizedandpaid complete completed completo completado concluido finalizado ' +
		'confirmed confirmado captured capturado settled succeeded success successful sucesso exito faturado facturado invoiced ' +
		'delivered entregue entregado shipped enviado despachado won ganho ganado vendido sold received recebido recibido ' +
		'liquidado quitado compensado disponivel accredited acreditado credited creditado closedwon pagamentoaprovado ' +
		'pagamentoconfirmado pagoaprobado pagoconfirmado pedidopago paymentapproved paymentreceived pagamentorecebido yes sim si true ok',
);
const NO = words('no nao false 0 nenhum nenhuma ninguno ninguna none n');

/** Letters and digits of a value, without accents, the mark of WooCommerce, and case. */
const plain = (value: unknown) =>
	deburr(String(value))
		.toLowerCase()
		.replace(/^wc-/, '')
		.replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a word is one of these, which are masculine, in any gender and number: `pagas` is `pago`. */
const isOneOf = (masculine: string[], word: string) =>
	masculine.includes(word) || masculine.includes(word.replace(/[oa]s?$/, 'o'));

/** A plain yes, also with a word for what it is about: `Venda concluída`. */
function meansSale(value: unknown): boolean {
	if (isOneOf(YES, plain(value))) return true;
	const rest = difference(wordsOf(String(value)), OF_ORDER);
	return rest.length > 0 && rest.every((word) => isOneOf(YES, word));
}

/** A few words that say of an order, a payment or a deal that it is no sale. */
function meansNoSale(value: unknown): boolean {
	const all = typeof value === 'string' ? wordsOf(value) : [];
	const [undone, others] = partition(all, (word) => UNDONE.test(word) || UNSOLD.test(word));
	const rest = difference(others, OF_ORDER, BESIDE_UNSOLD);
	return undone.length > 0 && all.length <= MAX_WORDS_OF_STATE && rest.length === 0;
}

/** Nothing was given back: blank, no, or an amount of zero. */
const isNothing = (value: unknown) => {
	const text = plain(value);
	return text === '' || NO.includes(text) || /^(?:[a-z]*)0+$/.test(text);
};

/** Finds what a column states about the order, from its heading and the objects that contain it. */
const roleOf = rememberByPath((path: string[]): 'state' | 'undone' | 'done' | undefined => {
	const all = path.flatMap((part) => wordsOf(part)).filter((word) => !/^\d+$/.test(word));
	const isUndone = (word: string) => UNDONE.test(word);
	if (all.some(isUndone)) {
		const others = difference(
			all.filter((word) => !isUndone(word)),
			OF_ORDER,
			OF_UNDONE,
		);
		return others.length === 0 ? 'undone' : undefined;
	}
	const others = difference(all, OF_ORDER);
	if (others.length > 0 && others.every((word) => STATE.includes(word))) return 'state';
	// "Pago" alone is also among the words for an order.
	const isDone = (word: string) => isOneOf(DONE, word);
	return all.some(isDone) && others.every(isDone) ? 'done' : undefined;
});

/**
 * Finds why a row is not recorded as a sale: its order or payment is not plainly done, was cancelled or refunded, or its value
 * is negative.
 *
 * @returns undefined if nothing speaks against the sale
 */
export function notSoldIn(all: Column[], matches: ColumnMatch[]): string | undefined {
	for (const column of all) {
		const { heading, value } = column;
		const kind = isBlank(value) || typeof value === 'object' ? undefined : roleOf(column.path);
		// In Brazil, "estado" is also the state where somebody lives.
		const isPlace =
			normalizeHeading(heading) === 'estado' && /^\p{Lu}{2}$/u.test(String(value).trim());
		const speaksAgainst =
			(kind === 'state' && !meansSale(value) && !isPlace) ||
			(kind === 'undone' && !isNothing(value)) ||
			(kind === 'done' && isNothing(value)) ||
			meansNoSale(value);
		if (speaksAgainst) return `"${heading}" is ${show(value)}`;
	}
	const isNegative = (value: unknown) => /[-−(]/.test(String(value).split(/\d/)[0]);
	const negative = matches.find(
		({ field, value }) => field === 'estimatedValue' && isNegative(value),
	);
	return negative && `"${negative.heading}" is ${show(negative.value)}`;
}
