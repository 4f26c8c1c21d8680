/** Writes a sale to its lead, which holds one: it is read just before, to find an earlier sale, and confirmed afterwards. */
import { isEqual, pick, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { saleIn } from '../checkout/recordedOrder';
import { noteDifferences } from '../contract/differences';
import { REFUND_REMEDIES, refundTagsOf } from '../conversion/sale';
import type { ComposeContext, Result, StepFunctions, Values } from '../operation';
import { UnconfirmedError, UserError } from '../userError';
import { isBlank } from '../values/convert';
import type { ServiceRecord } from '../values/json';
import { orderIn, RECORDED_FIELDS } from './checkoutSale';
import {
	compareOrders,
	formatSale,
	noteOrder,
	readOrder,
	replacedIn,
	SECOND_SALE,
} from './keepOrder';
import { futureSale, type getLead } from './leadRequests';
import type { takeBackSteps } from './takeBack';

type SaleSteps = StepFunctions<typeof takeBackSteps & { read: typeof getLead }>;
type SaleToWrite = Pick<Values, 'path' | 'body'> & {
	options: { overwrite?: boolean; output?: unknown };
};

const ONE_SALE = {
	all: `Nothing was sent, since a lead holds one sale. ${SECOND_SALE}.`,
	panel: 'To replace it, switch on Options > Overwrite.',
};

const CORRECTION = {
	all: 'Nothing was sent: a sale is not changed without being asked.',
	panel: 'To correct its value and date, switch on Options > Overwrite.',
};

/**
 * Records the sale of one item. Two sales are the same if they have the same value, and the same day in the workflow's time
 * zone, unless they name different orders.
 *
 * @throws UserError if the lead has another sale, or the service recorded something else
 */
export async function writeSale(
	values: SaleToWrite,
	requests: SaleSteps,
	context: ComposeContext,
): Promise<Result> {
	const { path, body, options } = values;
	const { mayHaveArrived, timezone, hints } = context;
	const sent = pick(body, RECORDED_FIELDS);
	const ordered = { order: orderIn(body), sent, overwrite: options.overwrite === true };
	const sale = saleIn(sent, timezone);
	const lead = await requests.read({ path });
	const { record: earlier = {} } = lead;
	const known = saleIn(earlier, timezone);
	const isSold = known.day !== undefined;
	const history = await readOrder(isSold ? ordered.order : undefined, lead, requests, context);
	const result = replacedIn(history, ordered, earlier, timezone);
	if (result) return { ...lead, extra: { result } };
	if (isSold && isEqual(known, sale)) {
		const differences = noteDifferences(pick(sent, 'status'), earlier, hints);
		// An earlier try may have recorded it.
		const already = !mayHaveArrived && { alreadyRecorded: true };
		const refund = nameRefund(earlier, 'already recorded', context);
		const extra = { ...already, ...(differences && { differences }), ...refund };
		return await compareOrders(history, ordered, { ...lead, extra }, requests, context);
	}
	const isOther = isSold && (known.day !== sale.day || known.value !== undefined);
	// A lead that shows no date may still have a sale, unless it shows that it has no value.
	const isHidden = earlier.saleDate === undefined && earlier.estimatedValue !== null;
	if ((isOther || isHidden) && !options.overwrite) {
		const both = `${formatSale(known)}, not ${formatSale(sale)}`;
		return refuseSecond(values, { lead, both, isHidden, isSameOrder: history.isCurrent });
	}
	const after = await sendSale(path, sent, earlier, requests, context);
	await noteOrder(ordered, after, requests, context);
	const replaced = isOther && { replaced: formatSale(known) };
	const extra = { alreadyRecorded: false, ...replaced, ...futureSale(sent, context) };
	const done = isOther ? `recorded, in place of ${formatSale(known)}` : 'recorded';
	return { ...after, extra: { ...extra, ...nameRefund(earlier, done, context) } };
}

/**
 * Sends a sale, and confirms that the lead has it.
 *
 * @throws UserError if the service recorded something else
 */
async function sendSale(
	path: SaleToWrite['path'],
	sent: IDataObject,
	earlier: ServiceRecord,
	requests: SaleSteps,
	{ timezone, hints }: ComposeContext,
): Promise<Result> {
	// An update by external ID is documented (4.3, rule 5); of an update by ID, only the path is (4.6).
	const { externalId } = earlier;
	const written = isBlank(externalId)
		? await requests.update({ path, body: sent })
		: await requests.upsert({ body: { externalId, ...sent } }, { existing: earlier });
	const after = isShown(written.record) ? written : await requests.read({ path });
	if (!isShown(after.record)) {
		throw new UnconfirmedError(
			'The sale was sent, and the service does not show whether the lead has it',
			'Look at the lead in the leads service. Running the item again does no harm.',
		);
	}
	const found = saleIn(after.record, timezone);
	const isOtherStatus = noteDifferences(pick(sent, 'status'), after.record, hints) !== undefined;
	if (!isEqual(found, saleIn(sent, timezone)) || isOtherStatus) {
		throw new UserError(
			`The service did not record the sale as it was sent: the lead has ${formatSale(found)} and the status "${String(after.record.status)}"`,
			'Enter the sale in the leads service, and tell the authors of this node.',
		);
	}
	return after;
}

interface SecondSale {
	lead: Result;
	/** The sale that the lead has and the one that was sent, in words. */
	both: string;
	/** The lead does not show whether it has one. */
	isHidden: boolean;
	isSameOrder?: boolean;
}

/**
 * Records nothing, because the lead has another sale, or may have one.
 *
 * @returns the row's result: a repeat customer must not fail an import that runs every night
 * @throws UserError where no row says it
 */
function refuseSecond(
	{ path, options }: SaleToWrite,
	{ lead, both, isHidden, isSameOrder }: SecondSale,
): Result {
	const which = `the lead ${String(lead.record?.externalId ?? path.leadId)} has another sale`;
	if (isHidden) throw new UserError(`The service does not show whether ${which}`, ONE_SALE);
	const what = `${isSameOrder ? 'the order of the sale has changed' : which}: ${both}`;
	if (options.output === 'inputWithResult') {
		const next = isSameOrder ? 'To correct it, switch on Overwrite' : SECOND_SALE;
		return { data: {}, extra: { result: `not recorded: ${what}. ${next}` } };
	}
	throw new UserError(upperFirst(what), isSameOrder ? CORRECTION : ONE_SALE);
}

/** Says that the lead of a sale keeps the tag of a refund that came before it: the service would take more requests to remove it. */
function nameRefund(
	lead: ServiceRecord,
	done: string,
	{ hints }: ComposeContext,
): { result?: string } {
	const [tag] = refundTagsOf(lead);
	if (tag === undefined) return {};
	const which = `has the tag "${tag}" of an earlier refund, and Get Conversions does not export it`;
	const remedy = REFUND_REMEDIES[tag];
	hints.add(`The lead ${String(lead.externalId ?? lead.id)} ${which}. ${remedy}`);
	return { result: `${done}, but the lead ${which}. ${remedy}` };
}

const isShown = (record: ServiceRecord = {}): record is ServiceRecord =>
	RECORDED_FIELDS.every((name) => record[name] !== undefined);
