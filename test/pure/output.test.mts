/** What a row says became of it. */
import { rowOutcome } from '../../nodes/IntegrationLeads/output/output';
import type { Result } from '../../nodes/IntegrationLeads/operation';

test.each<[string, Result, string[]]>([
	['a lead that was created', { created: true, extra: {} }, ['created']],
	[
		'what the node itself has to say',
		{ data: {}, extra: { result: 'not recorded: it is a test' } },
		['not recorded: it is a test'],
	],
	[
		'a lead whose service has a field of the same name',
		{
			record: { id: '1', result: 'created', differences: 'Status is "open", not "new".' },
			created: false,
			extra: {},
		},
		['updated', 'Status is "open", not "new".'],
	],
])('%s', (_, result, words) => {
	expect(rowOutcome(result).result).toEqual(words);
});
