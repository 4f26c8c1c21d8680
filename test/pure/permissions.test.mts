/** What the key does not permit is asked once in a run, and each item says what it goes without. */
import { Hints } from '../../nodes/IntegrationLeads/output/hints';
import { Permissions } from '../../nodes/IntegrationLeads/transport/permissions';
import { UserError } from '../../nodes/IntegrationLeads/userError';

const HINT = 'Phones were not compared';
const forbidden = new UserError('The key lacks a scope', '', 'forbidden');

it('asks once for all items, and adds the hint to each', async () => {
	const hints = new Hints();
	const ofRun = new Permissions(hints);
	const asked: number[] = [];
	for (const item of [0, 1]) {
		const permissions = ofRun.of(hints.of(item));
		const ask = async () => await Promise.reject(forbidden.withRemedy(`${asked.push(item)}`));
		expect(await permissions.ifPermitted(HINT, ask)).toBeUndefined();
	}
	expect(asked).toEqual([0]);
	expect(hints.inWords([{}, {}, {}])).toEqual([`Items 1, 2: ${HINT}`]);
});

it.each<[string, () => Promise<string>, string | RegExp]>([
	['what is permitted', async () => await Promise.resolve('done'), 'done'],
	['another failure', async () => await Promise.reject(new Error('down')), /down/],
])('leaves alone %s', async (_, carryOut, expected) => {
	const hints = new Hints();
	const result = new Permissions(hints).ifPermitted(HINT, carryOut);
	await (expected instanceof RegExp
		? expect(result).rejects.toThrow(expected)
		: expect(result).resolves.toBe(expected));
	expect(hints.inWords([{}])).toEqual([]);
});
