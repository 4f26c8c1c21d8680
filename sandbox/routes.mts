import * as contacts from './operations/contacts.mts';
import * as conversations from './operations/conversations.mts';
import * as leads from './operations/leads.mts';
import * as sync from './operations/sync.mts';
import * as tags from './operations/tags.mts';
import type { Operation } from './operation.mts';

/** The fixed prefix of all paths (head of the spec). */
export const apiPrefix = '/api/v1/integration';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One operation of the service; `path` is without the prefix, in the spec's own words. */
export interface Route {
	method: Method;
	path: string;
	/** The scope a key needs. */
	scope: string;
	run: Operation;
}

/**
 * The 27 operations that the spec names (4.1 to 4.6). Where it names no scope, the resource's own
 * read or write scope stands in (assumed).
 */
const table: ReadonlyArray<readonly [`${Method} ${string}`, string, Operation]> = [
	['GET /leads', 'leads:read', leads.listLeads],
	['GET /leads/:identifier', 'leads:read', leads.getLead],
	['POST /leads', 'leads:write', leads.createLead],
	['PUT /leads/:id', 'leads:write', leads.putLead],
	['PATCH /leads/:uuid/status', 'leads:write', leads.updateLeadStatus],
	['POST /leads/:uuid/tags', 'leads:write', leads.addLeadTags],
	['DELETE /leads/:uuid/tags/:tagId', 'leads:write', leads.removeLeadTag],

	['POST /leads/:id/interactions', 'interactions:write', leads.addInteraction],
	['GET /leads/:id/interactions', 'interactions:read', leads.listInteractions],

	['POST /contacts', 'contacts:write', contacts.createContact],
	['PUT /contacts/:id', 'contacts:write', contacts.updateContact],
	['GET /contacts', 'contacts:read', contacts.listContacts],
	['GET /contacts/lookup', 'contacts:read', contacts.lookupContact],
	['GET /contacts/:identifier', 'contacts:read', contacts.getContact],

	['GET /tags', 'tags:read', tags.listTags],
	['POST /tags', 'tags:write', tags.createTag],

	['POST /conversations', 'conversations:write', conversations.createConversation],
	['GET /conversations', 'conversations:read', conversations.listConversations],
	['GET /conversations/:id', 'conversations:read', conversations.getConversation],
	['POST /conversations/:id/messages', 'conversations:write', conversations.createMessage],
	['GET /conversations/:id/messages', 'conversations:read', conversations.listMessages],
	['PATCH /messages/:id/status', 'conversations:write', conversations.updateMessageStatus],
	['GET /leads/:id/conversations', 'conversations:read', conversations.listLeadConversations],
	['POST /leads/:id/conversations', 'conversations:write', conversations.createLeadConversation],

	['POST /sync', 'sync', sync.pushLeads],
	['GET /sync/:externalId', 'sync', sync.getSynced],
	['DELETE /sync/:externalId', 'sync', sync.deleteSynced],
];

export const routes: readonly Route[] = table.map(([route, scope, run]) => {
	const [method, path] = route.split(' ') as [Method, string];
	return { method, path, scope, run };
});

/** Every scope there is. */
export const allScopes: readonly string[] = [...new Set(routes.map(({ scope }) => scope))];
