/**
 * Reads inputs that no rule was made for: published forms, exports and webhooks. What is expected was written down before the node
 * was asked. A line with `fails` is one that it does not read as expected; the test says so as soon as it does.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, isError, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { toMappedLead, toSaleOfRow } from '../../nodes/IntegrationLeads/columns/columns';
import { parseConventions } from '../../nodes/IntegrationLeads/values/context';

interface Unseen {
	tool: string;
	/** Where its form is shown, and when that was looked up. Names and addresses of people in it are ours. */
	from: string;
	country: string;
	row: IDataObject;
	/** What arrives of the person whom a reader of the row would take it for. */
	contact?: IDataObject | null;
	/** What arrives besides. */
	lead?: IDataObject;
	/** Answers that are noted, and what is in no note. */
	noted?: string[];
	never?: string[];
	/** Words of the message if the row is refused. */
	refused?: string;
	/** Of a row for Record Sale: whether it is a sale. */
	sold?: boolean;
	fails?: boolean;
}

const COUNTRIES: Record<string, [code: string, timezone: string]> = {
	BR: ['55', 'America/Sao_Paulo'],
	PT: ['351', 'Europe/Lisbon'],
	ES: ['34', 'Europe/Madrid'],
	AR: ['54', 'America/Argentina/Buenos_Aires'],
	CL: ['56', 'America/Santiago'],
	US: ['1', 'America/New_York'],
	'-': ['', 'UTC'],
};

const unseen = readFileSync(join(__dirname, 'unseen.jsonl'), 'utf8')
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as Unseen);

function read({ country, row, lead, noted = [], never = [], sold, contact }: Unseen): unknown {
	const [code, timezone] = COUNTRIES[country];
	let answers = '';
	const context = {
		...parseConventions(code),
		label: 'Fields',
		timezone,
		input: { 'External ID': 'e-1', ...row },
		now: Date.UTC(2026, 0, 31, 23),
		onAnswers: (text: string) => void (answers = text),
	};
	if (sold !== undefined) {
		const sale = toSaleOfRow('columns', context) as IDataObject;
		return { sold: sale.notSold === undefined && sale.estimatedValue !== undefined };
	}
	const mapping = { mappingMode: 'autoMapInputData', value: null };
	const body = toMappedLead(mapping, context) as IDataObject;
	const lines = answers.split('\n');
	return {
		...(contact !== undefined && { contact: body.contact ?? null }),
		...pick(body, Object.keys(lead ?? {})),
		noted: noted.filter((each) => lines.includes(each)),
		never: never.filter((each) => answers.includes(each)),
	};
}

const expectedOf = ({ contact, lead, noted = [], sold }: Unseen) =>
	sold === undefined ? { contact, ...lead, noted, never: [] } : { sold };

describe.each([false, true])('inputs that no rule was made for (fails: %s)', (fails) => {
	const lines = unseen.filter((each) => (each.fails ?? false) === fails);
	const test = fails ? it.failing : it;
	test.each(lines)('$tool', (line) => {
		const found: unknown = attempt(() => read(line));
		if (line.refused !== undefined) {
			expect(isError(found) ? found.message : found).toContain(line.refused);
		} else expect(found).toEqual(expectedOf(line));
	});
});
