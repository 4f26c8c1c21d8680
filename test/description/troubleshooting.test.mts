/**
 * docs/troubleshooting.md is held against the messages in the sources: each title is one of them, and those that people meet
 * most are found with the words that they read.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeRegExp } from 'lodash';
import ts from 'typescript';

const root = join(__dirname, '../..');

/** Every text in the sources, by its parts: what is put between them may be anything. */
const TEXTS = ['nodes', 'credentials'].flatMap((folder) =>
	(readdirSync(join(root, folder), { recursive: true }) as string[])
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => textsIn(readFileSync(join(root, folder, file), 'utf8'))),
);

function textsIn(source: string): string[][] {
	const found: string[][] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) found.push([node.text]);
		if (ts.isTemplateExpression(node)) {
			found.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]);
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
	return found;
}

/** What n8n itself says, and what is no message. */
const OTHERS = [
	'Connection successful!',
	'A code such as `ENOTFOUND` or `ECONNREFUSED`',
	'Nothing came out, and nothing failed',
];

/** Some titles are several, and "…" is whatever stands there. */
const TITLES = [
	...readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8').matchAll(/^\| ([^|]+) \|/gm),
]
	.map(([, title]) => title)
	.filter((title) => !/^(---|Message|Hint|n8n says)$/.test(title) && !OTHERS.includes(title))
	.flatMap((title) => title.split(' / '));
const partsOf = (title: string) => title.split(/"?…"?/).map((part) => part.trim());
const lettersIn = (parts: string[]) => parts.join('').match(/[a-z]/gi)?.length ?? 0;
const patternOf = (parts: string[]) => parts.map(escapeRegExp).join('.*');
const isIn = (message: string, title: string) =>
	new RegExp(patternOf(partsOf(title)), 's').test(message);

test.each(TITLES)('"%s" is a message', (title) => {
	expect(lettersIn(partsOf(title))).toBeGreaterThan(4);
	const missing = partsOf(title).filter(
		(part) => !TEXTS.some((text) => text.some((each) => each.includes(part))),
	);
	expect(missing).toEqual([]);
});

/** As people read them. */
const FREQUENT = `
The API key was not accepted
The API key has been revoked
The API key does not permit: Create or update lead
The rate limit of this API key is used up
The answer did not come from the leads service
The server at the base URL may not be the leads service (HTTP 404)
The leads service could not be reached: nothing accepts connections at its address (ECONNREFUSED)
The leads service is not available right now (HTTP 503)
The leads service did not accept the request: "status" is not valid
The answer of the service broke off before it was complete
The service found nothing for: Make API request
Base URL must start with https://, because http:// would send the API key unencrypted. Only local and private test hosts may use http://.
Lead "l-1" was not found
"External ID" is empty
"External ID" is missing: no column of the row is the ID of the lead
"Order" has no ID of the lead
"External ID" lacks a part: "crm-"
"externalId" is missing in the lead
"Protocol" contains no code, and "External ID" is empty
No lead has this tracking code, and "External ID" is empty
No existing contact matched what was sent
"Search" is empty
"New Status" is empty
"Email" and "Phone" are empty, and the lead is found by one of them
"Lead" and "Contact" are empty, and a conversation is with one of them
"Email" must be one email address, not "-"
"Phone" has no country code: "(11) 97777-1234"
"Phone" is not clearly a number of country code 55: "97777-1234"
"Lead" must be an email, or a whole phone number, not "Ana"
"Sale Date" must be a date: "ontem"
"Estimated Value" must be a number: "ask"
"Sale Date" can be read in two ways: "03/04/2026"
"Email" must be a value, not the word "null"
"Lead" is not an ID: "crm/1"
"E-mail" and "Email 2" are two columns for "External ID"
A lead has no field for "Cor"
2 leads have the email "ana@example.com": Ana; Ana
No lead has the email "ana@example.com"
It is not certain which lead has the phone "+5511900000001": Ana
The leads service did not accept the lead "e-1": phone
The answer does not confirm the lead "e-1": {"id": 1}
This item was sent earlier in this execution and may have been recorded
"Webhook Body" is no webhook of Meta's Cloud API, Evolution API, WAHA, Z-API, Chatwoot
3 of 10 items failed. "error" in their output says why.
Left out of some items: "status", "email". Their output says why.
Not sent, because they are no fields of a lead: "Cor". Rename a column that is one (External ID, Name, Email, …), or map the columns by hand.
No lead had the status "Ganho" so far. Check how it is spelled. Documented are open, in_progress, closed_won.
`
	.trim()
	.split('\n');

test.each(FREQUENT)('%s', (message) => {
	const isWhole = TEXTS.some(
		(text) => lettersIn(text) > 3 && new RegExp(`^${patternOf(text)}$`, 's').test(message),
	);
	// A text that goes into another one.
	const hasPart = TEXTS.flat().some((text) => text.length > 10 && message.includes(text));
	expect(isWhole || hasPart).toBe(true);
	expect(TITLES.filter((title) => isIn(message, title))).not.toEqual([]);
});
