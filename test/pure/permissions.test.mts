/** What the key does not permit is asked once in a run, and each item says what it goes without. */
import { Hints } from '../../nodes/IntegrationLeads/output/hints';
import { Permissions } from '../../nodes/IntegrationLeads/transport/permissions';
import { ServiceError } from '../../nodes/IntegrationLeads/userError';

const HINT = 'Phones were not compared';
const needed = { scopes: ['contacts:read'], hint: HINT };
const forbidden = (scope: string) =>
	new ServiceError('The key lacks a scope', '', 'forbidden', {
		stated: {},
		httpCode: '403',
		scope,
	});

it('asks once for all items, and adds the hint to each', async () => {
	const hints = new Hints();
	const ofRun = new Permissions(hints);
	const asked: number[] = [];
	for (const item of [0, 1]) {
		const permissions = ofRun.of(hints.of(item));
		const ask = async () => {
			asked.push(item);
			return await Promise.reject(forbidden('contacts:read'));
		};
		expect(await permissions.ifPermitted(needed, ask)).toBeUndefined();
	}
	expect(asked).toEqual([0]);
	expect(hints.inWords([{}, {}, {}])).toEqual([`Items 1, 2: ${HINT}`]);
});

it.each<[string, () => Promise<string>, string | RegExp]>([
	['what is permitted', async () => await Promise.resolve('done'), 'done'],
	['another failure', async () => await Promise.reject(new Error('down')), /down/],
	['another scope', async () => await Promise.reject(forbidden('leads:read')), /lacks a scope/],
])('leaves alone %s', async (_, carryOut, expected) => {
	const hints = new Hints();
	const result = new Permissions(hints).ifPermitted(needed, carryOut);
	await (expected instanceof RegExp
		? expect(result).rejects.toThrow(expected)
		: expect(result).resolves.toBe(expected));
	expect(hints.inWords([{}])).toEqual([]);
});

it('remembers the scope, not the hint: what needs another is carried out, under the same hint as well', async () => {
	const permissions = new Permissions(new Hints());
	const both = { ...needed, scopes: ['contacts:read', 'contacts:write'] };
	const write = async () => await Promise.reject(forbidden('contacts:write'));
	const read = async () => await Promise.resolve('read');
	expect(await permissions.ifPermitted(both, write)).toBeUndefined();
	expect(await permissions.ifPermitted(needed, read)).toBe('read');
	expect(await permissions.ifPermitted(both, read)).toBeUndefined();
});
