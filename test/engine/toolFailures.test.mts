/** Every operation as a tool, in every kind of failure: engine.mts compares each text with the labels that only the panel has. */
import type { IDataObject } from 'n8n-workflow';

import { by, called, fastClock, useLab } from '../helpers/lab.mts';
import operations from '../helpers/operations.json';

const lab = useLab({ seed: 0, rpm: 0 }, () => fastClock(5000));

/** The parameters of a case, with IDs that no record has. */
const madeUp = (parameters: unknown) =>
	JSON.parse(JSON.stringify(parameters), (_, value: unknown) => {
		const [, sign] = /^([@#])\w+Id$/.exec(String(value)) ?? [];
		return sign === '@' ? by('id', 'made-up') : sign === '#' ? 'made-up' : value;
	}) as IDataObject;

/** All texts of the parameters replaced by one. */
const replaced = (parameters: IDataObject, text: string) =>
	JSON.parse(JSON.stringify(parameters), (key, value: unknown) =>
		typeof value === 'string' && key !== 'mode' && !key.startsWith('specify') ? text : value,
	) as IDataObject;

const all = Object.entries(operations as unknown as Record<string, [unknown, unknown]>);

describe.each(all)('%s', (name, [given]) => {
	const parameters = madeUp(given);
	/** n8n itself refuses to run a node that lacks what it requires. */
	const ask = async (more: IDataObject) =>
		await lab.engine.run(called(name, more), { asTool: true }).catch((reason: Error) => {
			if (reason.name !== 'WorkflowHasIssuesError') throw reason;
		});
	const values = ['', 'string', '*', '2026-99-99', '{"a": 1}'].map((text) =>
		replaced(parameters, text),
	);
	test.each([parameters, {}, ...values])('with %j names nothing of the panel', async (more) => {
		await ask(more);
	});

	test.each([400, 401, 403, 404, 409, 422, 429, 500, 'reset'] as const)(
		'that the service answers with %s names nothing of the panel',
		async (status) => {
			lab.sandbox.controls.fault(
				status === 'reset' ? { kind: 'reset' } : { kind: 'status', status, times: 100 },
			);
			await ask(parameters);
		},
	);
});
