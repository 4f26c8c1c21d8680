/**
 * Leads that the answer to a batch neither confirms nor refuses are read by their external ID (spec 4.2), one request each:
 * what the service holds shows whether they were recorded.
 */
import { omit, startCase } from 'lodash';
import { NodeApiError } from 'n8n-workflow';

import { ageOf } from '../contract/age';
import { NOT_WRITTEN, noteDifferences } from '../contract/differences';
import type { ServiceRecord } from '../values/json';
import { isRecord } from '../values/json';
import { lead as leadShape } from '../contract/leadRecord';
import { inParallel } from '../transport/paginate';
import { UserError } from '../userError';
import { isBlank } from '../values/convert';
import type { RequestPlan } from '../prepare/plan';
import type { RunServices } from './services';

/** What the service holds of a lead: the record as it was sent, or why it does not count as recorded. */
export type Held = { record: ServiceRecord; isNew: boolean } | string;

/** Reads the leads of a batch that can be read. `sentAt` is on the service's clock, if that is shown. */
export type ReadHeld = (plans: RequestPlan[], sentAt?: number) => Promise<Map<RequestPlan, Held>>;

/** Returns the function that reads leads for all batches of a run. */
export function heldReader({ finder, written, hints }: RunServices): ReadHeld {
	let isPermitted = true;
	return async (plans, sentAt) => {
		const held = new Map<RequestPlan, Held>();
		const read = async (plan: RequestPlan): Promise<boolean> => {
			if (!isPermitted) return false;
			const value = String(bodyOf(plan).externalId);
			const lookup = { record: leadShape, label: 'External ID', by: 'externalId', value } as const;
			const unread = (reason: unknown): void => {
				if (reason instanceof NodeApiError) isPermitted &&= reason.httpCode !== '403';
				else if (!(reason instanceof UserError)) throw reason;
				hints.add(`Unconfirmed leads could not be read. ${reason.message}. ${reason.description}`);
			};
			await finder
				.find([lookup])
				.then((found) => held.set(plan, judge(plan, found?.record, sentAt)), unread);
			return isPermitted;
		};
		// The first one shows whether the key permits it.
		const [first, ...others] = plans.filter((plan) => !isBlank(bodyOf(plan).externalId));
		if (first && (await read(first))) await inParallel(others, read);
		return held;
	};

	/** An older lead may have been refused, and have most of its values from before: every one that was sent must be there. */
	function judge(plan: RequestPlan, record: ServiceRecord | undefined, sentAt?: number): Held {
		const { recordKeys } = plan;
		if (!record) return 'No lead has this external ID.';
		// An item before this one may have created it.
		const isNew = ageOf(record, sentAt) === 'since' && !written.has(recordKeys[0]);
		if (isNew) return { record, isNew };
		const differences = noteDifferences(bodyOf(plan), record, new Set());
		if (differences) return `The service has it with other values: ${differences}`;
		const sent = omit(bodyOf(plan), 'externalId', ...NOT_WRITTEN);
		const hidden = hiddenFields(sent, record).map((name) => startCase(name));
		if (hidden.length === 0) return { record, isNew };
		return `The service had it before, and does not show ${hidden.join(', ')}.`;
	}
}

/** The fields of what was sent that the record does not show. */
function hiddenFields(sent: ServiceRecord, record: ServiceRecord): string[] {
	return Object.entries(sent).flatMap(([name, value]) => {
		const shown = name === 'contactId' ? (record.contactId ?? record.contact) : record[name];
		if (shown === undefined) return [name];
		return isRecord(value) && isRecord(shown)
			? hiddenFields(value, shown).map((field) => `${name} ${field}`)
			: [];
	});
}

const bodyOf = ({ request: { body } }: RequestPlan) => (isRecord(body) ? body : {});
