/** The examples of nightly conversions: the Code nodes that say what became of each sale, run as n8n runs them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Record<string, unknown>;

const SALE = 'Ana Souza, 99.00 BRL, sold on 8 Mar 2026';
const PAGE =
	'<html><head><style>b{}</style><title>502 Bad Gateway</title></head><body>502\n Bad Gateway</body></html>';
const AGAIN = 'It is sent again the next night. If it fails again, correct the lead.';

/** The line that an example makes of one failure. */
function lineOf(example: string, json: Json, sent: Json = {}): unknown {
	const file = join(__dirname, `../../examples/nightly-conversions-to-${example}.json`);
	const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as {
		nodes: Array<{ name: string; parameters: { jsCode?: string } }>;
	};
	const source = nodes.find(({ name }) => name === 'What failed')?.parameters.jsCode ?? '';
	const event = { transactionId: 'lead', custom_data: { order_id: 'lead' } };
	const output = { json: { summary: { sales: { lead: SALE } } } };
	const $ = (name: string) => ({
		last: () => output,
		itemMatching: () => ({ json: name === 'What is it?' ? event : sent }),
	});
	const code = new Function('$', '$input', source) as (
		...given: unknown[]
	) => Array<{ json: Json }>;
	const [{ json: made }] = code($, { all: () => [{ json }] });
	return made.line;
}

test.each<[Json, string]>([
	[
		{ error: { message: 'Invalid', error_user_msg: 'Not this one', code: 100 } },
		`Not this one. ${AGAIN}`,
	],
	[
		{ error: { message: 'Bad token', code: 190 } },
		'Bad token. Enter a new access token in the credential.',
	],
	[
		{ error: { message: 'Unknown object.', code: 100, error_subcode: 33 } },
		'Unknown object. Check the ID of the dataset, and that the token may use it.',
	],
	[{ data: PAGE }, `502 Bad Gateway 502 Bad Gateway. ${AGAIN}`],
	[{ error: { message: `502 - "${PAGE}"` } }, `502 - 502 Bad Gateway 502 Bad Gateway. ${AGAIN}`],
	[{ fault: { title: 'Quota', detail: 'Too many calls' } }, `Quota Too many calls. ${AGAIN}`],
	[{ error: 'The connection was aborted' }, `The connection was aborted. ${AGAIN}`],
	[{ events_received: 0 }, `Meta received no event. ${AGAIN}`],
])('Meta, after %j: %s', (json, line) => {
	expect(lineOf('meta', json)).toBe(`- ${SALE}: ${line}`);
});

test.each<[Json, string]>([
	[{ error: { message: `502 - "${PAGE}"` } }, `502 - 502 Bad Gateway 502 Bad Gateway. ${AGAIN}`],
	[
		{ requestStatusPerDestination: [{ requestStatus: 'PROCESSING' }] },
		`Google has not decided yet. ${AGAIN}`,
	],
	[
		{
			requestStatusPerDestination: [
				{
					requestStatus: 'FAILED',
					errorInfo: { errorCounts: [{ reason: 'PROCESSING_ERROR_REASON_DENIED_CONSENT' }] },
				},
			],
		},
		'Google did not count it: denied consent. Correct the lead and remove its tag: then it is sent again.',
	],
])('Google, after %j: %s', (json, line) => {
	expect(lineOf('google-data-manager', json)).toBe(`- ${SALE}: ${line}`);
});
