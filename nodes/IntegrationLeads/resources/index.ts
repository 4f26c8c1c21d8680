import type { Resource } from '../operation';
import { apiRequest } from './apiRequest';
import { contacts } from './contact';
import { conversations } from './conversation';
import { conversions } from './conversions';
import { interactions } from './interaction';
import { leads } from './lead';
import { logFromWhatsApp } from './logFromWhatsApp';
import { messages } from './message';
import { recordSale } from './recordSale';
import { sync } from './sync';
import { tags } from './tag';

/** Every resource of the node; the key is the stored value. */
export const resources: Record<string, Resource> = {
	apiRequest,
	contact: contacts,
	conversation: conversations,
	interaction: interactions,
	lead: { ...leads, operations: { ...leads.operations, recordSale, ...conversions } },
	message: { ...messages, operations: { ...messages.operations, logFromWhatsApp } },
	sync,
	tag: tags,
};
