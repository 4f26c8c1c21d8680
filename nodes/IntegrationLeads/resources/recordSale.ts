/** Lead > Record Sale: a lead holds one sale. What it has is read just before anything is sent, and what it has after that. */
import { isEqual, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRecord } from '../values/json';
import type { ComposeContext, RequestOperation, Result, StepFunctions, Values } from '../operation';
import { UnconfirmedError, UserError } from '../userError';
import { isBlank } from '../values/convert';
import { isSameWord } from '../values/words';
import { parseDate } from '../dates/date';

type One = RequestOperation & { output: { kind: 'one' } };
const FIELDS = ['status', 'saleDate', 'estimatedValue'];

/** Carries an item out. Two sales are the same if they have the same value, and the same day in the workflow's time zone. */
export async function recordSale(
	{ path, body, options }: Values,
	/** Operations of leads, which declare this one as well. */
	steps: StepFunctions<{ read: One; upsert: One; update: One }>,
	context: ComposeContext,
): Promise<Result> {
	const { isRetried, timezone } = context;
	const sent = pick(body, FIELDS);
	const sale = saleIn(sent, timezone);
	const lead = await steps.read({ path });
	const { record: before = {} } = lead;
	const known = saleIn(before, timezone);
	const isSold = known.day !== undefined;
	if (isSold && isEqual(known, sale)) {
		const differences = `Status is "${String(before.status)}", not "${String(sent.status)}".`;
		const adds = isStatus(before, sent) ? {} : { differences };
		// An earlier try may have recorded it.
		return { ...lead, adds: { ...(!isRetried && { alreadyRecorded: true }), ...adds } };
	}
	if (mayHide(before, sale) && options.overwrite !== true) {
		throw new UserError(
			`The service does not show whether the lead ${String(before.externalId ?? path.leadId)} has another sale`,
			'Nothing was sent: it would replace a sale that the lead may have. To record it all the same, switch on Options > Overwrite.',
		);
	}
	const isOther = isSold && (known.day !== sale.day || known.value !== undefined);
	if (isOther && options.overwrite !== true) {
		throw new UserError(
			`The lead ${String(before.externalId ?? path.leadId)} has another sale: ${inWords(known)}, not ${inWords(sale)}`,
			'A lead holds one sale. To replace it, switch on Options > Overwrite. A second sale of a person needs a lead of its own.',
		);
	}
	// Documented for leads with an external ID (4.3, rule 5); of the other way only the path is (4.6).
	const { externalId } = before;
	const written = isBlank(externalId)
		? await steps.update({ path, body: sent })
		: await steps.upsert({ body: { externalId, ...sent } as IDataObject }, { existing: before });
	const after = isShown(written.record) ? written : await steps.read({ path });
	requireRecorded(after.record, sent, timezone);
	const replaced = isOther ? inWords(known) : undefined;
	const differences = futureSale(sent, context);
	return {
		...after,
		adds: { alreadyRecorded: false, ...(replaced && { replaced }), ...differences },
	};
}

/** Says in the output that a sale is later than today. */
export function futureSale(
	sent: ServiceRecord,
	{ hints, now, timezone }: Pick<ComposeContext, 'hints' | 'now' | 'timezone'>,
): { differences?: string } {
	const { day } = saleIn(sent, timezone);
	if (day === undefined) return {};
	const today = parseDate(new Date(now).toISOString(), timezone)?.toISODate() ?? '';
	if (day <= today) return {};
	hints.add('The date of a sale is in the future. Check how its day and month are written.');
	return { differences: `The sale date ${day} is in the future.` };
}

/** Whether a lead may have another sale than this one, without showing its date. A value alone may be an estimate. */
function mayHide({ saleDate, estimatedValue }: ServiceRecord, { value }: HeldSale): boolean {
	return saleDate === undefined && estimatedValue !== null && Number(estimatedValue) !== value;
}

interface HeldSale {
	day?: string;
	value?: number;
}

function saleIn({ saleDate, estimatedValue }: ServiceRecord, timezone: string): HeldSale {
	const date = String(saleDate);
	return {
		day: isBlank(saleDate) ? undefined : (parseDate(date, timezone)?.toISODate() ?? date),
		value: isBlank(estimatedValue) ? undefined : Number(estimatedValue),
	};
}

const inWords = ({ day = 'no date', value }: HeldSale) => `${value ?? 'no value'} on ${day}`;

const isStatus = (record: ServiceRecord, sent: ServiceRecord) =>
	sent.status === undefined || isSameWord(record.status, sent.status);

const isShown = (record: ServiceRecord = {}) => FIELDS.every((name) => record[name] !== undefined);

/** @throws UserError where the lead does not have the sale that was sent */
function requireRecorded(
	record: ServiceRecord | undefined,
	sent: ServiceRecord,
	timezone: string,
): void {
	if (!isShown(record)) {
		throw new UnconfirmedError(
			'The sale was sent, and the service does not show whether the lead has it',
			'Look at the lead in the leads service. Running the item again does no harm.',
		);
	}
	const found = saleIn(record ?? {}, timezone);
	if (isEqual(found, saleIn(sent, timezone)) && isStatus(record ?? {}, sent)) return;
	throw new UserError(
		`The service did not record the sale as it was sent: the lead has ${inWords(found)} and the status "${String(record?.status)}"`,
		'Enter the sale in the leads service, and tell the authors of this node.',
	);
}
