import type { Certainty } from './shape';
import { assumed, stated } from './shape';

/** What holds for all requests and answers, for docs/contract.md. The code beside each reads or sends it so. */
export const rules: Array<{ rule: string; certainty: Certainty; where: string }> = [
	{
		rule: 'A success is `{ "success": true, "data": … }`',
		certainty: stated('4'),
		where: 'contract/envelope.ts',
	},
	{
		rule: 'Without that envelope the body is the data; 204 or an empty body is a success without data',
		certainty: assumed('the success codes and bodies of most calls are not shown'),
		where: 'contract/envelope.ts',
	},
	{
		rule: '`{ "success": false, "error": { code, message, retryAfter } }` is a failure, whatever the status',
		certainty: stated('7'),
		where: 'contract/envelope.ts',
	},
	{
		rule: 'A failure without that body is read by its status, and by what stands in `error` or `message`; reasons may stand in `details`, `issues` or `errors`',
		certainty: assumed(
			'bodies for invalid values, missing records and server errors are not shown',
		),
		where: 'transport/answer.ts',
	},
	{
		rule: 'One record is `data`, or stands in `data` under its name (`data.lead`); what stands beside it then stays with it',
		certainty: assumed('no answer with one record is shown'),
		where: 'contract/envelope.ts',
	},
	{
		rule: 'A list of leads is `data.leads`, with `data.pagination`',
		certainty: stated('4.1'),
		where: 'contract/envelope.ts',
	},
	{
		rule: 'Other lists stand under their name, are `data` itself, or are the only list in `data`; pagination may stand beside `data`, hold numbers as text, or be missing',
		certainty: assumed('no other list is shown'),
		where: 'contract/envelope.ts',
	},
	{
		rule: 'Where `total` is missing, `totalPages` tells how long a list is, and what is less than `limit` is a short page; where nothing is told, a list ends with a page that is empty, shorter than the first, of a size that nobody would choose for a page, or brings nothing new',
		certainty: assumed(
			'lists without pagination are not shown, and the service may give smaller pages than were asked for',
		),
		where: 'transport/paginate.ts',
	},
	{
		rule: 'Records of a list are told apart by `id`; where it is missing, a list is read once and nothing can be compared',
		certainty: assumed('only leads are shown in a list'),
		where: 'transport/paginate.ts',
	},
	{
		rule: 'A lead of a batch counts as taken only where every entry about it says so in one of the forms listed in the guide, and as refused where any entry does; otherwise it is unconfirmed, and its item fails unless the option says otherwise',
		certainty: assumed('the answer to a batch is not shown'),
		where: 'contract/batchAnswer.ts',
	},
	{
		rule: 'A contact that is looked for was found when the answer holds a record with an id, and that tells no other email or phone',
		certainty: assumed('neither the answer of the lookup nor what it says of nobody is shown'),
		where: 'run/output.ts',
	},
	{
		rule: 'Values of `status`, `priority` and `source` beside those seen are sent and read as well',
		certainty: assumed('the complete lists are not shown'),
		where: 'contract/lead.ts',
	},
	{
		rule: 'Every answer carries `X-RateLimit-Limit`, `-Remaining` and `-Reset`, a Unix timestamp',
		certainty: stated('8'),
		where: 'transport/pace.ts',
	},
	{
		rule: 'The reset may be in seconds, in milliseconds or in seconds from now; headers may be missing',
		certainty: assumed('the unit of the timestamp is not shown'),
		where: 'transport/pace.ts',
	},
	{
		rule: 'A DELETE that is accepted has deleted, whatever the answer holds',
		certainty: assumed('answers to DELETE are not shown'),
		where: 'run/output.ts',
	},
];
