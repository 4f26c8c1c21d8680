/** Webhooks of the services that bring messages of WhatsApp, read into one form. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WebhookEntry } from '../../nodes/IntegrationLeads/whatsapp/entry';
import {
	parseWebhook,
	WEBHOOK_SERVICES,
	type WebhookServiceId,
} from '../../nodes/IntegrationLeads/whatsapp/parseWebhook';

const FOLDER = join(__dirname, '../payloads');

/** As one reads it: `kind | who | text | team silent id=… ad=click/ad`, `change who > who`; `-` for nothing. */
interface Row {
	source: string;
	expect: string;
	body: unknown;
}

const rowsOf = (file: string): Row[] =>
	readFileSync(join(FOLDER, file), 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as Row);

const who = ({ hiddenId, phone, chatwootContact }: WebhookEntry['person']): string =>
	[hiddenId, chatwootContact && `cw${chatwootContact}`, phone].filter(Boolean).join(' ') || '?';

function shown(entry: WebhookEntry, expected: string): string {
	if (entry.type === 'change') return `change ${who(entry.previous)} > ${who(entry.person)}`;
	const { kind, person, text, from, silence, id, ad } = entry;
	const flags = [
		from === 'person' ? '' : from,
		silence && (from === 'person' || from === 'company') ? 'silent' : '',
		expected.includes(' id=') || expected.includes('| id=') ? `id=${id}` : '',
		ad ? `ad=${ad.ctwa_clid ?? ''}/${ad.source_id ?? ''}` : '',
	].filter(Boolean);
	return [kind, who(person), text, ...(flags.length > 0 ? [flags.join(' ')] : [])].join(' | ');
}

const result = (entries: WebhookEntry[], expected: string): string =>
	entries.map((entry) => shown(entry, expected)).join(' && ') || '-';

const files = readdirSync(FOLDER);

describe.each(files)('published: %s', (file) => {
	it.each(rowsOf(file))('$source: $expect', ({ body, expect: expected }) => {
		expect(result(parseWebhook(body), expected)).toBe(expected);
	});
});
