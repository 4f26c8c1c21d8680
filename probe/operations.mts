/** The kinds of record; a list of them would be named with an `s`. */
export type Kind = 'lead' | 'contact' | 'tag' | 'interaction' | 'conversation' | 'message';

/** An operation the specification names. */
export interface Operation {
	/** Method and path, below the API prefix. */
	route: string;
	/** What is sent, in words; nothing where the path says it all. */
	takes?: string;
	/** The part of the specification that shows what is sent; without it that is assumed. */
	stated?: string;
	/** What the data of an answer is expected to be. */
	answers?: { one: Kind } | { many: Kind };
}

const many = (kind: Kind) => ({ many: kind });
const one = (kind: Kind) => ({ one: kind });
const page = 'page and limit';
const contact = '{ name, email, phone }';

/** The 27 operations of the specification (4.1 to 4.6), and what is sent with each. */
export const operations = {
	'lead.list': { route: 'GET /leads', takes: page, stated: '4.1', answers: many('lead') },
	'lead.get': { route: 'GET /leads/{identifier}', stated: '4.2', answers: one('lead') },
	'lead.upsert': {
		route: 'POST /leads',
		takes: '{ externalId, … }',
		stated: '4.3',
		answers: one('lead'),
	},
	'lead.updateStatus': {
		route: 'PATCH /leads/{leadId}/status',
		takes: '{ status }',
		stated: '4.4',
		answers: one('lead'),
	},
	'lead.update': { route: 'PUT /leads/{leadId}', takes: '{ notes, … }', answers: one('lead') },
	'lead.addTags': {
		route: 'POST /leads/{leadId}/tags',
		takes: '{ tags: [names] }',
		answers: one('lead'),
	},
	'lead.removeTag': { route: 'DELETE /leads/{leadId}/tags/{tagId}', stated: '4.6' },
	'interaction.create': {
		route: 'POST /leads/{leadId}/interactions',
		takes: '{ type, title, description, metadata }',
		stated: '4.5',
		answers: one('interaction'),
	},
	'interaction.list': {
		route: 'GET /leads/{leadId}/interactions',
		takes: page,
		answers: many('interaction'),
	},
	'contact.create': { route: 'POST /contacts', takes: contact, answers: one('contact') },
	'contact.update': { route: 'PUT /contacts/{contactId}', takes: contact, answers: one('contact') },
	'contact.list': { route: 'GET /contacts', takes: page, answers: many('contact') },
	'contact.lookup': {
		route: 'GET /contacts/lookup',
		takes: 'email or phone',
		answers: one('contact'),
	},
	'contact.get': { route: 'GET /contacts/{contactId}', stated: '4.6', answers: one('contact') },
	'tag.list': { route: 'GET /tags', takes: page, answers: many('tag') },
	'tag.create': { route: 'POST /tags', takes: '{ name }', answers: one('tag') },
	'conversation.create': {
		route: 'POST /conversations',
		takes: '{ leadId, contactId }',
		answers: one('conversation'),
	},
	'conversation.createForLead': {
		route: 'POST /leads/{leadId}/conversations',
		takes: 'free JSON',
		answers: one('conversation'),
	},
	'conversation.list': {
		route: 'GET /conversations',
		takes: page,
		answers: many('conversation'),
	},
	'conversation.listForLead': {
		route: 'GET /leads/{leadId}/conversations',
		takes: page,
		answers: many('conversation'),
	},
	'conversation.get': {
		route: 'GET /conversations/{conversationId}',
		stated: '4.6',
		answers: one('conversation'),
	},
	'message.create': {
		route: 'POST /conversations/{conversationId}/messages',
		takes: '{ content }',
		answers: one('message'),
	},
	'message.list': {
		route: 'GET /conversations/{conversationId}/messages',
		takes: page,
		answers: many('message'),
	},
	'message.updateStatus': {
		route: 'PATCH /messages/{messageId}/status',
		takes: '{ status }',
		answers: one('message'),
	},
	'sync.push': { route: 'POST /sync', takes: '{ leads: [as for POST /leads] }' },
	'sync.get': { route: 'GET /sync/{externalId}', stated: '4.6', answers: one('lead') },
	'sync.delete': { route: 'DELETE /sync/{externalId}', stated: '4.6' },
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** The declaration of an operation. */
export const operationOf = (name: OperationName): Operation => operations[name];
