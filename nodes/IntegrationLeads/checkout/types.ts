/**
 * Describes the rows of the table of checkouts: where the body of a webhook has what a sale needs, in paths and words.
 *
 * A path may have alternatives, separated by spaces: the first that has a value counts. `+` joins values. `one` is the only element
 * of a list, `key=a` the element whose key is `a`. `*` in `refunded` stands for all elements, which are added up, and `*status=a` for
 * those whose status is `a`.
 */

/**
 * What a word says about the payment. `cancelled` takes a sale back if it was paid before. `wonBack` is a sale, whatever the other
 * paths say: a dispute was decided for the seller. `nothing` leaves it to the other paths.
 */
export type StateWord =
	| 'sale'
	| 'waiting'
	| 'refused'
	| 'disputed'
	| 'partlyTakenBack'
	| 'takenBack'
	| 'cancelled'
	| 'wonBack'
	| 'other'
	| 'nothing';

/** Words, separated by spaces. `contract_*` stands for all that begin so, `*` for any other word. */
export type StateWords = Partial<Record<StateWord, string>>;
/** By path, what its value is like. */
export type Tests = Record<string, RegExp>;

/** A webhook that holds no more than the ID of what happened. */
export interface Notification {
	service: string;
	is: Tests[];
	/** The request that reads the rest, with paths of the body in braces. */
	readFirst: string;
}

export interface CheckoutService {
	service: string;
	/** How the body is recognised: all tests of at least one of these. */
	is: Tests[];
	/** An object that may contain all the rest. */
	within?: string;
	/** By path. The worst of several states counts. */
	states: Record<string, StateWords>;
	/** The state before, in the words of the first path. */
	stateBefore?: string;
	/** A sale may become one that is waiting or refused, and the webhook shows no state before. */
	reopens?: true;
	test?: Tests;
	/**
	 * For subscriptions: what shows that it is one, by a value or by one of the tests `shown`, and which payment this is: its `number`,
	 * its place among the `payments` with their order, all tests of `first`, or one of `renewal`.
	 */
	subscription?: {
		is: string;
		shown?: Tests;
		number?: string;
		payments?: { list: string; order: string };
		first?: Tests;
		renewal?: Tests;
	};
	/** What shows that it is an addition to another order, such as an order bump. The lead holds the sale of that order. */
	addition?: Tests;
	/** What shows that it is one of several payments of a sale, whose whole amount is not in the body. */
	partOf?: string;
	paidAt?: string;
	/** A date near that of the payment, where the body has no better one. It does not show that anything was paid. */
	dated?: string;
	/** Times are milliseconds or seconds since 1970. */
	clock?: 'ms' | 's';
	/** The time zone of times that state none. */
	zone?: 'utc' | 'America/Sao_Paulo';
	amount: string;
	/** Amounts are in cents. */
	cents?: true;
	/** Without a path, the service takes BRL only, unless `assumesBrl` is set. */
	currency?: string;
	/** The service knows several currencies, and its webhooks show none. */
	assumesBrl?: true;
	/** The amount that was given back. */
	refunded?: string;
	/** Where the order has IDs. The first one that has a value names it, and two orders with a common ID are the same. */
	order: string;
	/** Of several phones, the first that can be read counts. */
	buyer: Partial<Record<'name' | 'email' | 'phone' | 'document', string>>;
	/** What is in two places, and must be the same in both: where it differs, it is not clear what was paid, or by whom. */
	same?: Partial<Record<'amounts' | 'currencies' | 'buyers', [path: string, other: string]>>;
	/** The request that reads the buyer, where the webhook only has an ID. */
	readBuyer?: string;
}

/** A value that is not blank. */
export const ANY = /./;
export const joined = (...words: string[]) => words.join(' ');
