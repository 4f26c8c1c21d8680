import { missing } from '../failure.mts';
import { found, leadInPath, listed, type Call, type Result } from '../operation.mts';
import type { Interaction, Lead } from '../records.mts';
import { showLead, showListedLead, showPlain } from '../show.mts';
import { changeLead, upsertLead, type LeadInput, type UpsertInput } from '../upsert.mts';
import type { LeadFilter } from '../store.mts';

/** Answers with a whole lead. */
export function leadResult(lead: Lead, { store }: Call): Result {
	return { kind: 'record', name: 'lead', record: showLead(lead, store) };
}

type LeadQuery = Record<keyof LeadFilter | 'page' | 'limit', string | undefined>;

/** Spec 4.1. */
export function listLeads(call: Call): Result {
	const { store, query } = call;
	const { page: _, limit: __, createdAfter, createdBefore, ...fields } = query as LeadQuery;
	const time = (text?: string) => (text ? Date.parse(text) : undefined);
	const bounds = { createdAfter: time(createdAfter), createdBefore: time(createdBefore) };
	const filter: LeadFilter = { ...fields, ...bounds };
	const show = (lead: Lead) => showListedLead(lead, store);
	return listed(call, 'leads', show, { select: (page) => store.listLeads(filter, page) });
}

/** Spec 4.2: by id, else by externalId. */
export function getLead(call: Call): Result {
	const { leadId } = call.params;
	const lead = call.store.leads.get(leadId) ?? call.store.leadByExternalId(leadId);
	if (!lead) throw missing(`Lead ${leadId}`);
	return leadResult(lead, call);
}

/** Spec 4.3. */
export function createLead(call: Call): Result {
	const { lead, outcome } = upsertLead(call.store, call.body as UpsertInput);
	const created = outcome === 'created';
	const siblings = { created, linked: outcome === 'linked' };
	return { kind: 'record', name: 'lead', record: showLead(lead, call.store), created, siblings };
}

/** PUT /leads/:id (assumed). */
export function updateLead(call: Call): Result {
	return leadResult(changeLead(call.store, leadInPath(call), call.body as LeadInput), call);
}

/** Spec 4.4. */
export function updateLeadStatus(call: Call): Result {
	const { status } = call.body as { status: string };
	return leadResult(call.store.changeLead(leadInPath(call), { status }), call);
}

/** POST /leads/:uuid/tags (assumed): names, made when they are new. */
export function addLeadTags(call: Call): Result {
	const lead = leadInPath(call);
	const { tags: added } = call.body as { tags: string[] };
	const tags = [...new Set([...lead.tags, ...added])];
	return leadResult(call.store.changeLead(lead, { tags }), call);
}

/** DELETE /leads/:uuid/tags/:tagId (assumed); a tag the lead does not have is no failure. */
export function removeLeadTag(call: Call): Result {
	const lead = leadInPath(call);
	const { name } = found(call.store.tags, call.params.tagId, 'Tag');
	call.store.changeLead(lead, { tags: lead.tags.filter((tag) => tag !== name) });
	return { kind: 'deleted' };
}

/** Spec 4.5. */
export function addInteraction(call: Call): Result {
	const lead = leadInPath(call);
	const given = call.body as Pick<Interaction, 'type'> & Partial<Interaction>;
	const { type, title = null, description = null, metadata = null } = given;
	const interaction = call.store.interactions.add({
		...call.store.stamp(),
		leadId: lead.id,
		type,
		title,
		description,
		metadata,
	});
	return { kind: 'record', name: 'interaction', record: showPlain(interaction), created: true };
}

/** GET /leads/:id/interactions (assumed). */
export function listInteractions(call: Call): Result {
	const { id } = leadInPath(call);
	const match = ({ leadId }: { leadId: string }) => leadId === id;
	return listed(call, 'interactions', showPlain, call.store.interactions, match);
}
