/** Options > Output: Input With Result. Each row comes out with what became of it in words, and none fails the node. */
import type { IDataObject } from 'n8n-workflow';

import type { RunOptions } from '../helpers/engine.mts';
import { by, called, fastClock, useLab, writes } from '../helpers/lab.mts';

const lab = useLab({ seed: 5, rpm: 0 }, () => fastClock(200));

const lead = { mappingMode: 'autoMapInputData', value: null };
const options = { output: 'inputWithResult' };
const push: IDataObject = { resource: 'sync', operation: 'push', lead, options };
const upsert: IDataObject = {
	resource: 'lead',
	operation: 'upsert',
	specifyLead: 'columns',
	lead,
	options,
};
const eachOf: Array<[string, IDataObject]> = [
	['Push Leads', push],
	['Create or Update', upsert],
];
const rows = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ 'External ID': `row-${n}`, row_number: n + 2 }));

const run = async (parameters: IDataObject, given: RunOptions) => {
	const { items, ...ran } = await lab.engine.run(parameters, given);
	return { ...ran, items, results: items.map(({ json }) => json.result) };
};

test('1,000 rows take 10 requests, and come out in their order with their results', async () => {
	const input = rows(1000);
	const { items, error } = await run(push, { input });
	expect([error, writes(lab.sandbox).length]).toEqual([undefined, 10]);
	expect(items).toEqual(
		input.map((row, item) => ({ json: { ...row, result: 'created' }, pairedItem: { item } })),
	);
});

describe.each(eachOf)('%s', (_, parameters) => {
	test('names columns that were left out, with their rows, and unknown ones, in a hint each of bounded length', async () => {
		const row = { 'External ID': 'a', Nome: '#1001', row_number: 2 };
		const unknown = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`x${n}`, n]));
		const other = { ...row, 'External ID': 'b', Protocolo: '2026-0042', row_number: 3, ...unknown };
		const { hints, items } = await run(parameters, { input: [row, other] });
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^"Nome" was left out: "#1001" is not a person's name\./),
			expect.stringMatching(/^Row 3: "Protocolo" was left out: "2026-0042" contains no code/),
			expect.stringMatching(/^Ignored, .*: "x0", .* and 1990 more\. Rename/),
		]);
		expect(Object.keys(items[0].json)).toEqual(['result', ...Object.keys(row)]);
		expect(String(items[1].json.result).length).toBeLessThan(500);
	});

	test('keeps each row as it is, with its file, and says what became of it', async () => {
		const input: IDataObject[] = [
			{ 'External ID': 'a', Nome: 'Contact A', row_number: 2, result: '' },
			{ 'External ID': 'b', 'Data da venda': 'soon', row_number: 3 },
			{ Nome: 'Contact C', row_number: 4 },
			{ 'External ID': 'a', Valor: 'R$ 1.500,00', row_number: 5, result: 'refused: old' },
			{ 'External ID': 'd', 'Lead Status': 'Paid', Loja: 'north', row_number: 6 },
			{ 'External ID': 'e', 'Data da venda': 'soon', Valor: 'much', row_number: 7 },
		];
		const file = { data: 'YQ==', mimeType: 'text/plain', fileName: 'a.txt' };
		const { items, error, hints } = await run(parameters, { input, file });
		expect(error).toBeUndefined();
		expect(items).toMatchObject(
			[
				'created; the same lead as row 5',
				'refused: "Data da venda" must be a date: "soon". Give it as 2026-01-31, 2026-01-31T14:30:00Z or 31/01/2026 14:30',
				'refused: The row has no email, no phone and no ID of the lead',
				expect.stringMatching(/^(updated|recorded); the same lead as row 2$/),
				'created; "Lead Status" was left out: "Paid" is none of open (Aberto), in_progress (Em andamento), closed_won (Ganho), closed_lost (Perdido); not sent: "Loja"',
				expect.stringMatching(/^refused: .*"soon"/),
			].map((result, item) => ({
				json: { ...input[item], result },
				binary: { file },
				pairedItem: { item },
			})),
		);
		expect(Object.keys(items[1].json)).toEqual(['result', ...Object.keys(input[1])]);
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(
				// The way out that is not in a row, since who reads it has no panel.
				/^3 of 6 items failed \(rows \d, \d, \d\)\. "result" in their output says why\. Row \d: "Data da venda" must be a date: "soon"\. Row \d: The row has no email, no phone and no ID of the lead\. Row 7: .* Name the column (?!.*Give it).* deleted\.$/,
			),
		);
	});
});

test('a row that a refusal does not name is given a reason', async () => {
	const body = { errors: [{ externalId: 'row-1', message: 'bad phone' }] };
	lab.sandbox.controls.fault({ kind: 'status', status: 422, body });
	const { results } = await run(push, { input: rows(2) });
	expect(results).toEqual([
		expect.stringMatching(/^refused: .* the request with the lead "row-0": its reasons are about/),
		expect.stringMatching(/^refused: .*"row-1": bad phone/),
	]);
});

test('a row that is refused after a lost answer is unclear, and not counted as not recorded', async () => {
	const { controls } = lab.sandbox;
	const match = { method: 'POST' };
	controls.fault({ kind: 'status', status: 503, when: 'after', match });
	controls.fault({ kind: 'status', status: 422, match });
	const input = [...rows(1), { row_number: 3, Nome: 'Contact C' }];
	const { results, hints } = await run(upsert, { input });
	expect(results).toEqual([
		expect.stringMatching(
			/^unclear: .* did not accept .*\. An earlier attempt may have been recorded$/,
		),
		expect.stringMatching(/^refused: /),
	]);
	expect(hints.map(({ message }) => message)).toContainEqual(
		expect.stringMatching(
			/^1 of 2 items failed \(row 3\), and 1 of 2 items may have been recorded \(row 2\)\. "result"/,
		),
	);
});

test.each([
	['a row', upsert, 422],
	['a batch', push, 413],
] as const)(
	'%s that is refused in a later try than the one whose answer was lost is unclear',
	async (_, parameters, status) => {
		const { controls } = lab.sandbox;
		const match = { method: 'POST' };
		controls.fault({ kind: 'status', status: 503, when: 'after', times: 3, match });
		controls.fault({ kind: 'status', status, match });
		const { results } = await run(parameters, { input: rows(1), mode: 'trigger' });
		expect(results).toEqual([
			expect.stringMatching(/^unclear: .*\. An earlier attempt may have been recorded$/),
		]);
		expect(writes(lab.sandbox)).toHaveLength(4);
	},
);

test.each(
	eachOf.flatMap(([name, parameters]) => [
		[name, parameters, {}] as const,
		[`${name}, only checked`, parameters, { onlyCheck: true }] as const,
	]),
)('%s names rows of one lead, and the values of one that another replaces', async (_, of, more) => {
	const shared = { Telefone: '+5511987650001' };
	const bia = { Nome: 'Bia Pipe', 'E-mail': 'bia@example.com', ...shared };
	const bianca = { Nome: 'Bianca Pipe', 'E-mail': 'bianca@example.com', ...shared };
	const input = [
		{ ...bia, 'Lead Status': 'won', Valor: 2500 },
		{ ...bianca, 'Lead Status': 'open', Valor: 500 },
		{ Nome: 'Ana Souza', 'E-mail': 'ana@example.com', Valor: 1 },
	];
	const options = { ...(of.options as IDataObject), ...more };
	const { results } = await run({ ...of, options }, { input });
	expect(results).toEqual([
		expect.stringMatching(/created?; the same lead as item 2$/),
		expect.stringMatching(
			/; the same lead as item 1; replaces values of item 1: Estimated Value is "500", not "2500"\. Status is "open", not "closed_won"$/,
		),
		expect.stringMatching(/created?$/),
	]);
});

const ofRow = (more: IDataObject) => ({ data: [{ externalId: 'row-0', ...more }] });
test.each<[string, IDataObject]>([
	['sent, but not confirmed', { data: null }],
	['sent, but not confirmed', ofRow({ situacao: 'ok' })],
	['updated; Notes is "old", not "new"', ofRow({ success: true, created: false, notes: 'old' })],
	['linked', ofRow({ success: true, linked: true })],
])('Push Leads says "%s" of the answer %j', async (result, body) => {
	lab.sandbox.controls.fault({ kind: 'status', status: 200, body: { success: true, ...body } });
	const more = { ...push, options: { ...options, readUnconfirmed: false } };
	const input = [{ 'External ID': 'row-0', Protocol: 'ML-AA11-BB22', Notes: 'new' }];
	expect((await run(more, { input })).results).toEqual([result]);
});

test('a row is told how to write a value, and of no option', async () => {
	const input = [
		{ 'External ID': 1, Telefone: '3000-0001', Valor: '1.500', 'Data da venda': '03/04/2026' },
		{ 'External ID': 'whatsapp-' },
		{ Nome: 'Ana', Email: '' },
	];
	const { results } = await run(push, { input });
	expect(results[0]).toBe(
		'refused: "Telefone" has no country code: "3000-0001". Write it with + and the country code, e.g. +5511900000000; "Valor" can be read in two ways: "1.500" is 1500 or 1.5. Write it without thousands separators and with two decimals, e.g. 1500.00; "Data da venda" can be read in two ways: "03/04/2026" is 3 April 2026 or 4 March 2026. Write it as 2026-04-03 or 2026-03-04',
	);
	expect(results.slice(1)).toEqual([
		'refused: "External ID" lacks a part: "whatsapp-". Give the whole ID',
		'refused: The row has no email, no phone and no ID of the lead',
	]);
});

const byCode = { 'External ID': 'z', Protocol: 'ML-AA11-BB22' };
describe.each(eachOf)('%s', (name, parameters) => {
	const oneByOne = { ...parameters, options: { ...options, batchSize: 1 } };

	const times = 5;
	test.each<[object, RegExp]>([
		[{ kind: 'status', status: 422 }, /^refused: The leads service did not accept/],
		[{ kind: 'status', status: 503, times }, /^failed: The leads service is not available/],
		[{ kind: 'reset', when: 'after', times }, /^failed: The leads service could not be reached/],
	])('of two rows, of which one meets %j, it alone is %s', async (fault, result) => {
		lab.sandbox.controls.fault({ ...fault, match: { method: 'POST', nth: 2 } } as never);
		const { results, error } = await run(oneByOne, { input: rows(2) });
		expect(error).toBeUndefined();
		expect(results).toEqual(['created', expect.stringMatching(result)]);
	});

	test('a row that may have been recorded is not called refused, and not sent a second time', async () => {
		lab.sandbox.controls.fault({ kind: 'reset', when: 'after', match: { method: 'POST', nth: 3 } });
		const { results } = await run(oneByOne, {
			input: [...rows(1), { 'External ID': 'other' }, byCode],
		});
		expect(results).toEqual([
			'created',
			'created',
			expect.stringMatching(/^unclear: The leads service could not/),
		]);
		expect(writes(lab.sandbox)).toHaveLength(3);
	});

	const refusal = (status: number, code?: string) => {
		return { kind: 'status', status, body: { success: false, error: { code } } };
	};
	test.each<[string, object, RegExp]>([
		['the key is wrong', refusal(401, 'UNAUTHORIZED'), /^The API key was not accepted/],
		['the key was revoked', refusal(403, 'API_KEY_REVOKED'), /^The API key has been revoked/],
		['the key lacks the scope', refusal(403, 'FORBIDDEN'), /^The API key does not permit/],
		['nobody knows the path', refusal(404), /^The service found nothing for/],
		['another server answers', { kind: 'html' }, /^The answer did not come from the leads service/],
	])('fails where %s, also after rows that were recorded or refused', async (_, fault, message) => {
		lab.sandbox.controls.fault({ ...fault, times: 99, match: { nth: 2 } } as never);
		const input = [{ 'External ID': 'first' }, { Nome: 'Contact A' }, ...rows(3)];
		const { items, error } = await run(oneByOne, { input });
		expect([items, error?.message]).toEqual([[], expect.stringMatching(message)]);
		// On Error: Continue is for what fails, as without the option.
		const failing = await run(oneByOne, { input: rows(1), onError: 'continueErrorOutput' });
		expect(failing.failed).toMatchObject([{ json: { error: expect.stringMatching(message) } }]);
	});

	test('has the same rows with On Error: Continue', async () => {
		const input = [{ Nome: 'Contact A' }, ...rows(1)];
		const { items, failed } = await run(parameters, { input, onError: 'continueErrorOutput' });
		expect([items.map(({ json }) => json.result), failed]).toEqual([
			['refused: The row has no email, no phone and no ID of the lead', 'created'],
			[],
		]);
	});

	test('sends nothing twice when n8n repeats the node, and still says what is unclear', async () => {
		const { fault } = lab.sandbox.controls;
		const match = { method: 'POST', nth: 3 };
		fault({ kind: 'reset', when: 'after', match });
		fault({ kind: 'status', status: 401, match });
		const last = { 'External ID': 'last', Protocol: 'ML-CC33-DD44' };
		const input = [...rows(1), { 'External ID': 'other' }, byCode, last];
		const { results, error } = await run(oneByOne, { input, retry: true });
		expect(error).toBeUndefined();
		expect(results).toEqual([
			'created',
			'created',
			expect.stringMatching(/^unclear: This item was sent earlier in this execution/),
			'created',
		]);
		const sent = JSON.stringify(writes(lab.sandbox)).match(/"ML-AA11/g);
		expect(sent).toHaveLength(1);
	});
});

// Siblings of facebook-php-business-sdk 270: a work email, which no heading means for certain.
test.each(eachOf)(
	'%s says what was read by its form, in the row and in one hint',
	async (_, parameters) => {
		const input = [2, 3].map((row_number) => ({
			'E-mail corporativo': `ana${row_number}@example.com`,
			row_number,
		}));
		const { results, hints } = await run(parameters, { input });
		const said = expect.stringContaining('"E-mail corporativo" was read as Email') as string;
		expect(results).toEqual([said, said]);
		expect(hints.filter(({ message }) => /"E-mail corporativo"/.test(message))).toHaveLength(1);
	},
);

test.each(eachOf)('%s refuses an External ID Column that no item has', async (_, parameters) => {
	const more = { ...parameters, options: { externalIdColumn: 'Pedido' } };
	const input = [{ Nome: 'Ana', 'E-mail': 'ana@example.com' }];
	const { error } = await lab.engine.run(more, { input });
	expect(error?.message).toContain('No item has the column "Pedido" of "External ID Column"');
	expect(writes(lab.sandbox)).toEqual([]);
});

// Keys of Google's webhook of lead forms: developers.google.com/google-ads/webhook/docs/implementation (28 Nov 2026).
test('the ad of a lead form is kept where Get Conversions reads it', async () => {
	const input = [{ email: 'ana@example.com', gcl_id: 'click', campaign_id: 7, cidade: 'Campinas' }];
	const { error } = await lab.engine.run({ ...upsert, options: {} }, { input });
	expect(error).toBeUndefined();
	const kept = [...lab.sandbox.store.interactions.values()].map(({ metadata }) => metadata);
	expect(kept).toContainEqual({ gclid: 'click', campaign_id: 7 });
});

test('two people of one external ID are refused, whatever row is before them', async () => {
	const of = (name: string, phone: string) => ({
		'External ID': 'crm-1',
		Nome: name,
		Telefone: phone,
	});
	const people = [of('Ana Souza', '+5511987654321'), of('Bia Lima', '+5521912345678')];
	const { results } = await run(push, {
		input: [{ 'External ID': 'crm-1', Status: 'open' }, ...people],
	});
	expect(results[2]).toMatch(/^refused: /);
});

test('leads that are given by their IDs may share a phone', async () => {
	const { store, controls } = lab.sandbox;
	const phone = '+5511987654321';
	const input = ['Ana Souza', 'Bia Lima'].map((name, n) => {
		const { id: contactId } = store.createContact({ name, email: `${n}@example.com`, phone });
		return { name, id: controls.createLead({ contactId, externalId: `f-${n}` }).id };
	});
	const contact = { name: '={{ $json.name }}', phone };
	const { error } = await lab.engine.run(
		called('lead.update', {
			leadId: by('id', '={{ $json.id }}'),
			updateFields: { notes: 'x', contact },
		}),
		{ input },
	);
	expect(error).toBeUndefined();
});
