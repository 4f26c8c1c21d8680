import assert from 'node:assert/strict';

import { itemsOf, jsonOf, nodesOf, recordsAt, rowsOf } from '../flow.mjs';

const sync = nodesOf('sync');
/** Two full batches and one that is not. */
const ROWS = Array.from({ length: 250 }, (_, n) => ({
	externalId: `row-${n}`,
	name: `Contact ${n}`,
	email: `row.${n}@example.com`,
	phone: `5511910000${String(n).padStart(3, '0')}@s.whatsapp.net`,
	estimatedValue: String(n),
	tags: 'pushed',
	column: 'of no interest',
}));
const PUSHES = ['Push by name', 'Push by hand', 'Push JSON'];
const row = '$("Each row").item.json';

const all = { executeOnce: false };
const push = { sends: Array(3).fill('POST /sync'), count: ROWS.length };

/** A field mapped by hand, as the editor keeps it. */
const mapped = (id, type, more) => ({
	id,
	displayName: id,
	type,
	required: false,
	display: true,
	defaultMatch: false,
	canBeUsedToMatch: false,
	...more,
});

export function steps() {
	const [rows, eachRow] = rowsOf(ROWS);
	return [
		{ node: rows },
		{ node: { ...eachRow, ...all }, count: ROWS.length },
		{
			node: sync('Push by name', 'push', { lead: { mappingMode: 'autoMapInputData' } }, all),
			...push,
			gives: { success: true, result: 'created' },
		},
		{
			node: sync(
				'Push by hand',
				'push',
				{
					lead: {
						mappingMode: 'defineBelow',
						value: {
							externalId: `={{ ${row}.externalId }}`,
							estimatedValue: `={{ Number(${row}.estimatedValue) + 0.5 }}`,
							saleDate: '2026-03-01T10:00:00',
							// The drop-down knows the values seen so far; an expression may give any.
							status: '={{ "of this account alone" }}',
						},
						matchingColumns: [],
						schema: [
							mapped('externalId', 'string'),
							mapped('estimatedValue', 'number'),
							mapped('saleDate', 'dateTime'),
							mapped('status', 'options', { options: [{ name: 'Open', value: 'open' }] }),
						],
					},
				},
				all,
			),
			...push,
			gives: { success: true, result: 'updated' },
		},
		{
			node: sync(
				'Push JSON',
				'push',
				{
					specifyLeads: 'json',
					leadJson: `={{ { externalId: ${row}.externalId, notes: ${row}.name } }}`,
					options: { additionalBody: '{"priority": "high"}' },
				},
				all,
			),
			...push,
			gives: { success: true, result: 'updated' },
		},
		{
			node: sync('Get', 'get', { externalId: 'row-7', simplify: false }),
			gives: {
				externalId: 'row-7',
				estimatedValue: 7.5,
				saleDate: '2026-03-01T10:00:00.000Z',
				status: 'of this account alone',
				notes: 'Contact 7',
				priority: 'high',
				tags: ['pushed'],
			},
			held: ({ externalId }) => `/sync/${externalId}`,
		},
		{
			node: sync('Delete', 'delete', { externalId: 'row-8' }),
			sends: ['DELETE /sync/{externalId}'],
			gives: { deleted: true },
		},
	];
}

export const cases = [
	{
		name: 'each push gives one item for each input item, paired with it',
		async run({ execution }) {
			for (const name of PUSHES) {
				assert.deepEqual(
					itemsOf(execution, name).map(({ json, pairedItem }) => [json.externalId, pairedItem]),
					ROWS.map(({ externalId }, item) => [externalId, { item }]),
					name,
				);
			}
		},
	},
	{
		name: 'the service holds each row that was pushed, but the one that was deleted',
		async run({ execution }, world) {
			const pushed = jsonOf(execution, 'Push by name').filter(
				({ externalId }) => externalId !== 'row-8',
			);
			const held = await recordsAt(world, '/leads?tag=pushed');
			assert.deepEqual(
				held.map(({ id, externalId, contact: { email } }) => [id, externalId, email].join()).sort(),
				pushed
					.map(({ id, externalId }) =>
						[id, externalId, `${externalId.replace('-', '.')}@example.com`].join(),
					)
					.sort(),
			);
		},
	},
	{
		name: 'an input field that is none of a lead is named in a hint',
		async run({ execution }) {
			const [{ hints }] = execution.data.resultData.runData['Push by name'];
			assert.match(JSON.stringify(hints), /no fields of a lead: \W*column/);
		},
	},
];
