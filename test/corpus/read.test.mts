/**
 * Reads rows, forms and webhooks of others. `reports.jsonl` has what went wrong for people who do the same with other tools, and
 * siblings of that; `unseen.jsonl` has published forms, exports and webhooks that no rule was made for. What is expected was written
 * down before the node was asked. A line with `fails` is one that is not read as expected; the test says so as soon as it is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, isError, partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { toMappedLead } from '../../nodes/IntegrationLeads/columns/columns';
import { toSaleOfRow } from '../../nodes/IntegrationLeads/columns/saleRow';
import { parseConventions } from '../../nodes/IntegrationLeads/values/context';

interface Line {
	tool: string;
	/** Where its form is shown (github.com unless named), and when that was looked up. Names and addresses of people in it are ours. */
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
	/** Headings of values that are left out with a reason. */
	leftOut?: string[];
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

const linesOf = (file: string) =>
	readFileSync(join(__dirname, file), 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as Line);

function read(line: Line): unknown {
	const { country, row, lead, noted = [], never = [], leftOut = [], sold, contact } = line;
	const [code, timezone] = COUNTRIES[country];
	let answers = '';
	const left: string[] = [];
	const context = {
		...parseConventions(code),
		label: 'Fields',
		timezone,
		input: { 'External ID': 'e-1', ...row },
		now: Date.UTC(2026, 0, 31, 23),
		onAnswers: (text: string) => void (answers = text),
		onLeftOut: (heading: string) => void left.push(heading),
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
		...Object.fromEntries(Object.keys(lead ?? {}).map((name) => [name, body[name] ?? null])),
		noted: noted.filter((each) => lines.includes(each)),
		never: never.filter((each) => answers.includes(each)),
		leftOut: leftOut.filter((each) => left.includes(each)),
	};
}

const expectedOf = ({ contact, lead, noted = [], leftOut = [], sold }: Line) =>
	sold === undefined ? { contact, ...lead, noted, never: [], leftOut } : { sold };

describe.each(['reports.jsonl', 'unseen.jsonl'])('%s', (file) => {
	const [failing, others] = partition(linesOf(file), 'fails');
	const check = (line: Line) => {
		const found: unknown = attempt(() => read(line));
		if (line.refused !== undefined) {
			expect(isError(found) ? found.message : found).toContain(line.refused);
		} else expect(found).toEqual(expectedOf(line));
	};
	it.each(others)('$tool', check);
	if (failing.length > 0) it.failing.each(failing)('$tool (not read yet)', check);
});
