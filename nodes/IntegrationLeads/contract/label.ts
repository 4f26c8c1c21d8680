/** One line by which people recognise a record, in lists and messages. */
import { compact, isString } from 'lodash';

import type { ServiceRecord } from './envelope';
import { isRecord } from './envelope';

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
