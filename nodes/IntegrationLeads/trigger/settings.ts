/** From the parameters of the node to what the core takes. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';

import { InputProblem } from '../problem';
import type { EventName, Settings } from './types';

const MOST_REQUESTS = 60;
/** With fewer, a poll could not do each of its parts. */
const LEAST_REQUESTS = 10;

/**
 * @param account tells credentials apart
 * @throws InputProblem naming the field
 */
export function readSettings(context: IPollFunctions, account: string): Settings {
	const filters = context.getNodeParameter('filters', {}) as IDataObject;
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const filter = (name: string) => {
		const given = filters[name];
		const text = String((isResourceLocatorValue(given) ? given.value : given) ?? '').trim();
		return text === '' ? undefined : text;
	};
	const triggerOn = namesIn(context.getNodeParameter('triggerOn', [])) as EventName[];
	if (triggerOn.length === 0) {
		throw new InputProblem('"Trigger On" is empty', 'Choose what starts the workflow.');
	}
	return {
		triggerOn,
		fromStatus: namesIn(context.getNodeParameter('fromStatus', [])),
		toStatus: namesIn(context.getNodeParameter('toStatus', [])),
		filters: {
			priority: filter('priority'),
			source: filter('source'),
			tag: filter('tag'),
			search: filter('search'),
		},
		watchWithinDays: Number(context.getNodeParameter('watchWithinDays', 90)),
		emitExisting: options.emitExisting === true,
		includeFullLead: context.getNodeParameter('includeFullLead', false) === true,
		maxRequestsPerPoll: Math.max(
			LEAST_REQUESTS,
			Number(options.maxRequestsPerPoll) || MOST_REQUESTS,
		),
		account,
	};
}

/** A list, or text with commas between names. */
function namesIn(value: unknown): string[] {
	const names = Array.isArray(value) ? value : String(value ?? '').split(',');
	return names.map((name) => String(name).trim()).filter((name) => name !== '');
}
