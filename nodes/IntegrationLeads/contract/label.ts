/** One line by which people recognise a record, in lists and messages. */
import { compact, isString } from 'lodash';

import { parseDate } from '../values/date';
import type { ServiceRecord } from '../values/json';
import { isRecord } from '../values/json';

/** e.g. `Ana · ana@example.com · open · crm-1` */
export function leadLabel({ contact, status, externalId }: ServiceRecord): string {
	const { name, email } = isRecord(contact) ? contact : {};
	return joinParts(name, email, status, externalId);
}

/** e.g. `Ana · ana@example.com · +5511900000000` */
export function contactLabel({ name, email, phone }: ServiceRecord): string {
	return joinParts(name, email, phone);
}

/** The parts that are text. */
export function joinParts(...parts: unknown[]): string {
	return compact(parts.filter(isString)).join(' · ');
}

/**
 * e.g. `Ana · 2026-01-31 14:30`. The fields of a conversation are not shown (spec 2): one without a person is recognised by
 * its ID.
 *
 * @param timezone of the date
 */
export function conversationLabel(record: ServiceRecord, timezone: string): string {
	const { id, lead, createdAt } = record;
	const { contact } = isRecord(lead) ? { ...lead, ...record } : record;
	const { name, email, phone } = isRecord(contact) ? contact : {};
	const who = [name, email, phone].find((each) => isString(each) && each !== '');
	const created = parseDate(String(createdAt), timezone)?.toFormat('yyyy-MM-dd HH:mm');
	return who ? joinParts(who, created) : joinParts(created, `ID ${String(id)}`);
}
