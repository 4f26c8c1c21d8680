import { Failure, missing } from '../failure.mts';
import { parse, syncBody, upsertBody } from '../inputs.mts';
import { bodyOf, type Call, type Result, type Shown } from '../operation.mts';
import type { Lead } from '../records.mts';
import { upsertLead } from '../upsert.mts';
import { leadResult } from './leads.mts';

// The shapes of all sync operations are assumed: spec 4.6 only names them.

/** Each element is a lead as in spec 4.3 and succeeds or fails by itself. */
export function pushLeads(call: Call): Result {
	const { leads } = bodyOf(call, syncBody);
	return { kind: 'list', name: 'results', items: leads.map((lead) => pushLead(call, lead)) };
}

function pushLead({ store }: Call, element: unknown): Shown {
	try {
		const { lead, outcome } = upsertLead(store, parse(upsertBody, element));
		return { externalId: lead.externalId, id: lead.id, success: true, result: outcome };
	} catch (failure) {
		if (!(failure instanceof Failure)) throw failure;
		const externalId = (element as { externalId?: unknown } | null)?.externalId ?? null;
		return { externalId, ...failure.body };
	}
}

function syncedLead({ params, store }: Call): Lead {
	const lead = store.leadByExternalId(params.externalId);
	if (!lead) throw missing(`Lead with externalId ${params.externalId}`);
	return lead;
}

export function getSynced(call: Call): Result {
	return leadResult(syncedLead(call), call);
}

export function deleteSynced(call: Call): Result {
	call.store.deleteLead(syncedLead(call));
	return { kind: 'deleted' };
}
