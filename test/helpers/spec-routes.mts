/** An operation that the service's specification names; the path is without the API prefix. */
export interface SpecRoute {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	path: string;
	/** Only where the specification names one: in part 4, or in the list of scopes in part 5. */
	scope?: string;
	section: string;
}

/** The 27 operations of parts 4.1 to 4.6, in the order of the specification. */
export const specRoutes: SpecRoute[] = [
	{ method: 'GET', path: '/leads', scope: 'leads:read', section: '4.1' },
	{ method: 'GET', path: '/leads/:identifier', scope: 'leads:read', section: '4.2' },
	{ method: 'POST', path: '/leads', scope: 'leads:write', section: '4.3' },
	{ method: 'PATCH', path: '/leads/:uuid/status', scope: 'leads:write', section: '4.4' },
	{ method: 'POST', path: '/leads/:id/interactions', scope: 'interactions:write', section: '4.5' },
	{ method: 'POST', path: '/sync', scope: 'sync', section: '4.6' },
	{ method: 'GET', path: '/sync/:externalId', section: '4.6' },
	{ method: 'DELETE', path: '/sync/:externalId', section: '4.6' },
	{ method: 'PUT', path: '/leads/:id', scope: 'leads:write', section: '4.6' },
	{ method: 'POST', path: '/leads/:uuid/tags', section: '4.6' },
	{ method: 'DELETE', path: '/leads/:uuid/tags/:tagId', section: '4.6' },
	{ method: 'POST', path: '/contacts', scope: 'contacts:write', section: '4.6' },
	{ method: 'PUT', path: '/contacts/:id', scope: 'contacts:write', section: '4.6' },
	{ method: 'GET', path: '/contacts', scope: 'contacts:read', section: '4.6' },
	{ method: 'GET', path: '/contacts/lookup', section: '4.6' },
	// Part 5 lists it as GET /contacts/:id.
	{ method: 'GET', path: '/contacts/:identifier', scope: 'contacts:read', section: '4.6' },
	{ method: 'GET', path: '/tags', scope: 'tags:read', section: '4.6' },
	{ method: 'POST', path: '/tags', scope: 'tags:write', section: '4.6' },
	{ method: 'GET', path: '/leads/:id/interactions', section: '4.6' },
	{ method: 'POST', path: '/conversations', section: '4.6' },
	{ method: 'GET', path: '/conversations', section: '4.6' },
	{ method: 'GET', path: '/conversations/:id', section: '4.6' },
	{ method: 'POST', path: '/conversations/:id/messages', section: '4.6' },
	{ method: 'GET', path: '/conversations/:id/messages', section: '4.6' },
	{ method: 'PATCH', path: '/messages/:id/status', section: '4.6' },
	{
		method: 'GET',
		path: '/leads/:id/conversations',
		scope: 'conversations:read',
		section: '4.6',
	},
	{
		method: 'POST',
		path: '/leads/:id/conversations',
		scope: 'conversations:write',
		section: '4.6',
	},
];
