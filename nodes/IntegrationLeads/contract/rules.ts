import type { Certainty } from './shape';
import { assumed, stated } from './shape';

/**
 * What holds for requests and answers, how we know, and which part of the node relies on it. The ids are for the probe:
 * each assumption that it checks backs one of these.
 */
export const rules = {
	envelope: ['A success is `{ "success": true, "data": … }`', stated('4'), 'contract/envelope.ts'],
	bareAnswer: [
		'Without that envelope the body is the data; 204 or an empty body is a success without data',
		assumed('the success codes and bodies of most calls are not shown'),
		'contract/envelope.ts',
	],
	failure: [
		'`{ "success": false, "error": { code, message, retryAfter } }` is a failure, whatever the status',
		stated('7'),
		'contract/envelope.ts',
	],
	otherFailure: [
		'A failure without that body is read by its status and by `error` or `message`; reasons may be in `details`, `issues` or `errors`',
		assumed('bodies for invalid values, missing records and server errors are not shown'),
		'transport/answer.ts',
	],
	keys: [
		'A key that is not accepted is answered with 401 UNAUTHORIZED',
		stated('5'),
		'transport/errors.ts',
	],
	record: [
		'One record is `data`, or is in `data` under its name (`data.lead`); its siblings there then stay with it',
		assumed('no answer with one record is shown'),
		'contract/envelope.ts',
	],
	leadList: [
		'A list of leads is `data.leads`, with `data.pagination`',
		stated('4.1'),
		'contract/envelope.ts',
	],
	list: [
		'Other lists are in `data` under their name, are `data` itself, or are the only list in `data`; pagination may be a sibling of `data`, hold numbers as text, or be missing',
		assumed('no other list is shown'),
		'contract/envelope.ts',
	],
	pages: [
		'`page` and `limit` choose a part of a list; a page has up to 100 leads',
		stated('8'),
		'transport/paginate.ts',
	],
	listEnd: [
		'Without `total`, `totalPages` gives the length of a list, and fewer records than `limit` are a short page; without either, a list ends with a page that is empty, shorter than the first, of a size that nobody would choose for a page, or without a new record',
		assumed(
			'lists without pagination are not shown, and the service may give smaller pages than were asked for',
		),
		'transport/paginate.ts',
	],
	identity: [
		'Records of a list are identified by `id`; where it is missing, a list is read once and nothing can be compared',
		assumed('only leads are shown in a list'),
		'transport/paginate.ts',
	],
	order: [
		'Lists may come in any order',
		assumed('the order is not shown'),
		'transport/paginate.ts',
	],
	bounds: [
		'`createdAfter` and `createdBefore` bound a list, with or without the time they name, to the millisecond or coarser',
		assumed('how exact the two filters are is not shown'),
		'windows/bounds.ts',
	],
	filters: ['The filters of 4.1 narrow a list of leads', stated('4.1'), 'fields/lead.ts'],
	fields: [
		'Records have the fields listed under "What comes back"',
		assumed('only those of listed leads are shown'),
		'contract/',
	],
	lookup: [
		'A contact was found when the answer holds a record with an id, and without another email or phone',
		assumed('neither the answer of the lookup nor that for no match is shown'),
		'contract/contactMatch.ts',
	],
	operations: [
		'Operations take what is listed under "What is sent"',
		assumed('27 of 46 operations are named, and the requests of five are shown'),
		'resources/',
	],
	creation: [
		'Leads are created, updated and linked by the rules of 4.3',
		stated('4.3'),
		'fields/check.ts',
	],
	writes: [
		'A write changes what is sent and keeps what is not; its status and its answer do not matter',
		assumed('answers to writes are not shown'),
		'run/output.ts',
	],
	batch: [
		'A lead of a batch counts as taken only where every entry about it says so in one of the forms listed in the guide, and as refused where any entry does; otherwise it is unconfirmed',
		assumed('the answer to a batch is not shown'),
		'contract/batchAnswer.ts',
	],
	values: [
		'Values of `status`, `priority` and `source` other than those seen are sent and read as well',
		assumed('the complete lists are not shown'),
		'contract/lead.ts',
	],
	rateLimit: [
		'Every answer carries `X-RateLimit-Limit`, `-Remaining` and `-Reset`, a Unix timestamp',
		stated('8'),
		'transport/headers.ts',
	],
	reset: [
		'The reset may be in seconds, in milliseconds or in seconds from now; headers may be missing',
		assumed('the unit of the timestamp is not shown'),
		'transport/headers.ts',
	],
	deletion: [
		'A DELETE that is accepted has deleted, whatever the answer holds',
		assumed('answers to DELETE are not shown'),
		'run/output.ts',
	],
} satisfies Record<string, [rule: string, certainty: Certainty, where: string]>;
