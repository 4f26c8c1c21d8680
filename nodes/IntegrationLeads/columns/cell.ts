/** A value that may go into a field of the lead. */
import { show } from '../values/convert';
import type { ConvertContext } from '../values/context';

/** A value of a row, and the heading of its column. */
export interface Cell {
	heading: string;
	value: unknown;
	/** It is an email or a phone, also where it is the external ID. */
	isAddress?: boolean;
}

/** How to send a value that was left out because only a heading has it for a field. */
export const MAP_BY_HAND = ' To send it all the same, map the columns by hand.';

/** Names a value that is not sent, with the reason. */
export function leaveOut(
	{ onLeftOut }: ConvertContext,
	{ heading, value }: Cell,
	reason: string,
): void {
	onLeftOut?.(heading, `${show(value)} ${reason}.${MAP_BY_HAND}`);
}
