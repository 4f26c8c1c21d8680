/** Describes a value that may go into a field of the lead, and reports one that does not. */
import { show } from '../values/convert';
import type { ConvertContext } from '../values/context';

/** A value of a row, and the heading of its column. */
export interface Cell {
	heading: string;
	value: unknown;
	/** The keys that lead to it in its row, the same in all rows. */
	keys?: string[];
	/** Which of several of its kind it is, as for "Email 2". */
	number?: number;
	/** Whether it is an email or a phone, even if it is sent as the external ID. */
	isAddress?: boolean;
	/** Of a phone: how it is read by the country that its row has. */
	dialling?: Pick<ConvertContext, 'countryCode' | 'unknownCountry'>;
}

/** How to send a value that was left out, because the heading was only a guess. */
export const MAP_BY_HAND = ' To send it all the same, map the columns by hand.';

/** Reports a value that is not sent, with the reason. */
export function leaveOut(
	{ onLeftOut }: ConvertContext,
	{ heading, value }: Cell,
	reason: string,
): void {
	onLeftOut?.(heading, `${show(value)} ${reason}.${MAP_BY_HAND}`);
}
