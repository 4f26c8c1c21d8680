/** Resolves a tracking code to its lead, and checks whether the lead is this person's, since codes get forwarded. */
import { compact, isEmpty, omit, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { decidePerson } from '../contract/samePerson';
import { contactLabel } from '../contract/shown';
import type { ComposeContext, Result, StepFunctions } from '../operation';
import { isRefused } from '../userError';
import type { CodeForm, Extracted } from '../values/context';
import { isBlank } from '../values/convert';
import { toRecord } from '../values/json';
import { compareSteps, readPersonOf } from './compareLead';
import { upsertLead } from './leadRequests';

export const codeSteps = {
	/**
	 * The service has no look-up by code. It is sent the code alone, without data: a lead that has it is returned as it is (assumed),
	 * and without one the service refuses, as an external ID is missing (spec 4.3, rules 1 and 2).
	 */
	findByCode: upsertLead,
	...compareSteps,
};

type CodeSteps = StepFunctions<typeof codeSteps>;

/**
 * @param onRefused hears why the service did not accept the code, since it does not show how it says that no lead has it
 * @returns undefined where no lead has the code; without a record where the service does not show it
 */
async function leadOfCode(
	code: string,
	{ findByCode }: CodeSteps,
	onRefused?: (reason: Error) => void,
): Promise<Result | undefined> {
	return await findByCode({ body: { protocol: code } }).catch((reason: unknown) => {
		if (!isRefused(reason)) throw reason;
		onRefused?.(reason);
		return undefined;
	});
}

/**
 * Finds the leads of the codes in a text, in the order of the codes. Each is asked for when it is needed: in capitals, and as it was
 * written where no lead has that.
 */
export async function* leadsOfCodes(
	codes: CodeForm[],
	steps: CodeSteps,
	onRefused?: (reason: Error) => void,
): AsyncGenerator<{ code: string; lead: Result }> {
	for (const { code: canonical, written } of codes) {
		for (const code of uniq([canonical, written])) {
			const lead = await leadOfCode(code, steps, onRefused);
			if (!lead) continue;
			yield { code, lead };
			break;
		}
	}
}

/**
 * Sends a tracking code in the form in which a lead has it. The user decides that the data belongs to the lead of the code, also
 * where its contact is another person: the output then says whose lead it was before that. A code that no lead has is sent with the
 * external ID, which is the fallback (spec 4.3, rule 3); without one, an email or a phone finds the lead.
 *
 * @returns the body to send, and the ID of the lead of the code where it was looked for and found
 */
export async function chooseCode(
	body: IDataObject,
	{ codes: found = [] }: Extracted,
	steps: CodeSteps,
	context: Pick<ComposeContext, 'ifPermitted'>,
): Promise<{ body: IDataObject; leadId?: unknown; remarks: string[] }> {
	const sought = toRecord(body.contact);
	const codes = codesToAsk(body.protocol, found);
	const isCompared = !isBlank(sought.email) || !isBlank(sought.phone);
	const isAsked =
		isCompared || codes.length > 1 || codes.some((form) => form.code !== form.written);
	if (isEmpty(codes) || !isAsked) return { body, remarks: [] };
	let refusal: Error | undefined;
	const leads = leadsOfCodes(codes, steps, (reason) => (refusal = reason));
	for await (const { code, lead } of leads) {
		const person = lead.record && (await readPersonOf(lead.record, sought, steps, context));
		const isOther = person && decidePerson('code', sought, person) === 'say';
		const remark =
			isOther &&
			`The tracking code ${code} was that of the lead of another person: ${contactLabel(person)}.`;
		return {
			body: { ...body, protocol: code },
			leadId: lead.record?.id,
			remarks: compact([remark]),
		};
	}
	if (!isBlank(body.externalId) || !isCompared) return { body, remarks: [] };
	return {
		body: omit(body, 'protocol'),
		remarks: [
			`No lead has the tracking code ${String(body.protocol)}, as far as the service says: "${refusal?.message ?? ''}".`,
		],
	};
}

/** The codes to ask for: what users write in JSON is sent as it is. */
function codesToAsk(protocol: unknown, found: CodeForm[]): CodeForm[] {
	if (typeof protocol !== 'string') return [];
	return found[0]?.code === protocol ? found : [{ code: protocol, written: protocol }];
}
