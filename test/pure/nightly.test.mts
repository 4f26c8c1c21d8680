/** The examples of nightly conversions: the Code nodes that say what became of each sale, run as n8n runs them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Record<string, unknown>;

const SALE = 'Ana Souza, 99.00 BRL, sold on 8 Mar 2026';
const PAGE =
	'<html><head><style>b{}</style><title>502 Bad Gateway</title></head><body>502\n Bad Gateway</body></html>';
const LATER = 'All is sent again the next night.';
const AGAIN = 'It is sent again the next night. If it fails again, correct the lead.';

/** The lines that an example makes of failures. */
function linesOf(example: string, failures: Json[], sent: Json = {}): unknown[] {
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
	const made = code($, { all: () => failures.map((json) => ({ json })) });
	return made.map(({ json }) => json.line);
}

const lineOf = (example: string, json: Json) => linesOf(example, [json])[0];

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
	[{ data: PAGE }, `502 Bad Gateway 502 Bad Gateway. ${LATER}`],
	[{ error: { message: `502 - "${PAGE}"` } }, `502 - 502 Bad Gateway 502 Bad Gateway. ${LATER}`],
	[{ fault: { title: 'Quota', detail: 'Too many calls' } }, `Quota Too many calls. ${LATER}`],
	[{ error: 'The connection was aborted' }, `The connection was aborted. ${LATER}`],
	[{ events_received: 0 }, `Meta received no event. ${AGAIN}`],
])('Meta, after %j: %s', (json, line) => {
	expect(lineOf('meta', json)).toBe(`- ${SALE}: ${line}`);
});

test.each<[Json, string]>([
	[{ error: { message: `502 - "${PAGE}"` } }, `502 - 502 Bad Gateway 502 Bad Gateway. ${LATER}`],
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

const token = (second: number) => ({
	error: { message: `Session has expired. It is 03:45:0${second}.`, code: 190 },
});
const refused = { error: { message: 'Invalid', error_user_msg: 'Not this one', code: 100 } };
const google = (status: string, message: string) => ({
	error: {
		message: `400 - "{\\"error\\":{\\"message\\":\\"${message}\\",\\"status\\":\\"${status}\\"}}"`,
	},
});

// What is the same for all sales is one line, and "correct the lead" stands only where the lead is to blame.
test.each<[string, Json[], string[]]>([
	[
		'meta',
		[token(1), refused, token(2), refused],
		[
			'2 sales: Session has expired. It is 03:45:01. Enter a new access token in the credential.',
			`${SALE}: Not this one. ${AGAIN}`,
			`${SALE}: Not this one. ${AGAIN}`,
		],
	],
	[
		'meta',
		[{ data: 'Service Unavailable' }, { error: 'aborted' }],
		[`2 sales: Service Unavailable. ${LATER}`],
	],
	[
		'google-data-manager',
		[google('UNAUTHENTICATED', 'No credential'), google('UNAUTHENTICATED', 'No credential')],
		['2 sales: No credential. Renew the credential, and check that it may use the account.'],
	],
	[
		'google-data-manager',
		[google('INVALID_ARGUMENT', 'Not an account'), google('INVALID_ARGUMENT', 'Not an account')],
		['2 sales: Not an account. Check the account and the conversion action in "Send to Google".'],
	],
	[
		'google-data-manager',
		[
			google('INVALID_ARGUMENT', 'events[0].currency'),
			google('INVALID_ARGUMENT', 'events[0].currency'),
		],
		[`${SALE}: events[0].currency. ${AGAIN}`, `${SALE}: events[0].currency. ${AGAIN}`],
	],
])('%s, after %j: %j', (example, failures, lines) => {
	const made = linesOf(example, failures);
	expect(made.slice(0, -1)).toEqual(lines.map((line) => `- ${line}`));
	expect(made.at(-1)).toMatch(
		/^To send them now, turn on sendAllByHand .* press Execute workflow\. Retry only/,
	);
});
