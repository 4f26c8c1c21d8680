/** Reads the parameters of the trigger. */
import { compact, isEqual, mapValues, pickBy, uniq, uniqWith } from 'lodash';
import type { IPollFunctions } from 'n8n-workflow';

import { translatedFrom } from '../columns/documented';
import { toRecord } from '../values/json';
import { isSameWord } from '../values/words';
import { convertParameter } from '../fields/converter';
import { triggerParameters } from '../panels/trigger';
import type { Client } from '../transport/send';
import { blankFilterError, InputError } from '../userError';
import type { TriggerStore } from './store';
import type { Settings } from '../watch/types';

/**
 * @param store where the state is kept, which a manual run does not have
 * @throws InputError naming the field
 */
export function settingsOf(
	context: IPollFunctions,
	client: Client,
	store?: TriggerStore,
): Settings {
	const timezone = context.getTimezone();
	const values = Object.fromEntries(
		triggerParameters.map((parameter) => {
			const raw = context.getNodeParameter(parameter.name, null);
			return [parameter.name, convertParameter(parameter, raw, { timezone })];
		}),
	);
	const options = toRecord(values.options);
	const filters = mapValues(toRecord(values.filters), (value) => String(value).trim());
	const triggerOn = namesIn(values.triggerOn) as Settings['triggerOn'];
	if (triggerOn.length === 0) {
		throw new InputError('"Trigger On" is empty', 'Choose what starts the workflow.');
	}
	// A hidden parameter has no value.
	const isShown = triggerOn.includes('lead.statusChanged');
	const tags = triggerOn.includes('lead.tagged') ? tagsIn(values.tags) : [];
	if (tags.length > 0 && filters.tag) {
		throw new InputError(
			'"Filters" has a "Tag", which does not go together with "Lead Tagged"',
			'The service lists no lead before it has the tag of the filter, so the trigger could not see it being tagged. Remove the filter, and check "lead.tags" in a Filter node after the trigger.',
		);
	}
	return {
		triggerOn,
		fromStatus: isShown ? statusesIn(values.fromStatus, 'From Status') : [],
		toStatus: isShown ? statusesIn(values.toStatus, 'To Status') : [],
		tags,
		filters: pickBy(filters, (value) => value !== ''),
		watchWithinDays: Number(values.watchWithinDays ?? 90),
		emitSince: emitSince(options),
		includeFullLead: values.includeFullLead === true,
		maxRequestsPerPoll: Number(options.maxRequestsPerPoll ?? 60),
		process: store?.process ?? '',
		repeatOthersBefore: store?.repeatOthersBefore ?? 0,
		account: client.account,
	};
}

/**
 * Parses the chosen statuses. An empty list matches any status; a blank value, which an expression left, is refused. A Portuguese
 * or Spanish word stands for the documented status, and for a status that is called so.
 */
function statusesIn(value: unknown, label: string): string[] {
	const names = namesIn(value);
	if (names.length === 0 && !isEqual(value, [])) throw blankFilterError(label);
	return uniq(names.flatMap((name) => compact([translatedFrom('status', name), name])));
}

/** The time (ms) since which existing leads are emitted. A date is more exact than the switch for all. */
function emitSince({ emitExisting, emitCreatedAfter }: Record<string, unknown>): number {
	if (typeof emitCreatedAfter === 'string') return Date.parse(emitCreatedAfter);
	return emitExisting === true ? -Infinity : Infinity;
}

/** The chosen tags, each once. */
function tagsIn(value: unknown): string[] {
	const names = namesIn(value);
	if (names.length > 0) return uniqWith(names, isSameWord);
	throw new InputError('"Tags" is empty', 'Choose the tags that start the workflow.');
}

/** The names in a list, or in a text with commas between them. */
function namesIn(value: unknown): string[] {
	const names = Array.isArray(value) ? value : String(value ?? '').split(',');
	return names.map((name) => String(name ?? '').trim()).filter((name) => name !== '');
}
