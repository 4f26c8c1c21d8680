/** Records as the service shows them. */
import type { Conversation, Interaction, Message, Tag } from '../../sandbox/records.mts';
import type {
	showContact,
	showLead,
	showListedLead,
	showPlain,
	showWithExtra,
} from '../../sandbox/show.mts';

export type ShownLead = ReturnType<typeof showLead>;
export type ListedLead = ReturnType<typeof showListedLead>;
export type ShownContact = ReturnType<typeof showContact>;
export type ShownTag = ReturnType<typeof showPlain<Tag>>;
export type ShownInteraction = ReturnType<typeof showPlain<Interaction>>;
export type ShownConversation = ReturnType<typeof showWithExtra<Conversation>>;
export type ShownMessage = ReturnType<typeof showWithExtra<Message>>;
