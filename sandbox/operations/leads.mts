import {
	interactionBody,
	leadBody,
	leadQuery,
	leadStatusBody,
	leadTagsBody,
	parse,
	upsertBody,
} from '../inputs.mts';
import type { LeadFilter } from '../leadFilter.mts';
import { missing } from '../failure.mts';
import { bodyOf, found, leadInPath, listed, type Call, type Result } from '../operation.mts';
import type { Lead } from '../records.mts';
import { showLead, showListedLead, showPlain } from '../show.mts';
import { updateLead, upsertLead } from '../upsert.mts';
import type { Variant } from '../variant.mts';

/** Answers with a whole lead. */
export function leadResult(lead: Lead, { store }: Call): Result {
	return { kind: 'record', name: 'lead', record: showLead(lead, store) };
}

/** The filter of a query, with the bounds that this variant of the service makes of the dates. */
function leadFilter(query: Call['query'], variant: Variant): LeadFilter {
	const { createdAfter, createdBefore, ...fields } = parse(leadQuery, query);
	const { boundGranularityMs: grain, bounds } = variant;
	// Times are whole milliseconds: one more or less makes an inclusive bound of an exclusive one.
	const slack = bounds === 'inclusive' ? 1 : 0;
	const cut = (text: string) => Math.floor(Date.parse(text) / grain) * grain;
	return {
		...fields,
		createdAfter: createdAfter ? cut(createdAfter) - slack : undefined,
		createdBefore: createdBefore ? cut(createdBefore) + slack : undefined,
	};
}

/** Spec 4.1. */
export function listLeads(call: Call): Result {
	const { store, query, variant } = call;
	const filter = leadFilter(query, variant);
	return listed(
		call,
		'leads',
		(page) => store.listLeads(filter, page),
		(lead) => showListedLead(lead, store),
	);
}

/** Spec 4.2: by id, else by externalId. */
export function getLead(call: Call): Result {
	const { identifier } = call.params;
	const lead = call.store.leads.get(identifier) ?? call.store.leadByExternalId(identifier);
	if (!lead) throw missing(`Lead ${identifier}`);
	return leadResult(lead, call);
}

/** Spec 4.3. */
export function createLead(call: Call): Result {
	const { lead, outcome } = upsertLead(call.store, bodyOf(call, upsertBody));
	const created = outcome === 'created';
	const siblings = { created, linked: outcome === 'linked' };
	return { kind: 'record', name: 'lead', record: showLead(lead, call.store), created, siblings };
}

/** PUT /leads/:id (assumed). */
export function putLead(call: Call): Result {
	return leadResult(updateLead(call.store, leadInPath(call), bodyOf(call, leadBody)), call);
}

/** Spec 4.4. */
export function updateLeadStatus(call: Call): Result {
	const { status } = bodyOf(call, leadStatusBody);
	return leadResult(call.store.changeLead(leadInPath(call), { status }), call);
}

/** POST /leads/:uuid/tags (assumed): names, made when they are new. */
export function addLeadTags(call: Call): Result {
	const lead = leadInPath(call);
	const tags = [...new Set([...lead.tags, ...bodyOf(call, leadTagsBody).tags])];
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
	const { type, title = null, description = null, metadata = null } = bodyOf(call, interactionBody);
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
	const select = call.store.interactions;
	return listed(call, 'interactions', (page) => select.select({ ...page, match }), showPlain);
}
