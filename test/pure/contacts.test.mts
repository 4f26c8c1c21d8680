import type { IDataObject } from 'n8n-workflow';

import { ContactMemory } from '../../nodes/IntegrationLeads/find/find';

const PATH = '/contacts/c-1';

/** Each case: what happens between two readings of a contact, and how often it is then read. */
it.each<[string, (client: { writes: number }) => void, isFresh: boolean, reads: number]>([
	['nothing', () => {}, false, 1],
	['a write of the run', (client) => void (client.writes += 1), false, 2],
	['nothing, but it is written next', () => {}, true, 2],
])('between two readings: %s', async (_, between, isFresh, reads) => {
	const client = { writes: 0 };
	const memory = new ContactMemory(client);
	let count = 0;
	const read = async () => ({ id: 'c-1', count: (count += 1) });
	await memory.read(PATH, read);
	between(client);
	expect(await memory.read(PATH, read, isFresh)).toEqual({ id: 'c-1', count: reads });
	expect(await memory.read(PATH, read)).toEqual({ id: 'c-1', count: reads });
	expect(await memory.read('/contacts/c-2', read)).toEqual({ id: 'c-1', count: reads + 1 });
});

it('reads again what was read while a write was on its way', async () => {
	const client = { writes: 0 };
	const memory = new ContactMemory(client);
	let answer = (_: IDataObject) => {};
	const before = memory.read(PATH, async () => await new Promise((resolve) => (answer = resolve)));
	client.writes += 1;
	answer({ id: 'c-1', name: 'before' });
	expect(await before).toEqual({ id: 'c-1', name: 'before' });
	const read = async () => ({ id: 'c-1', name: 'after' });
	expect(await memory.read(PATH, read)).toEqual({ id: 'c-1', name: 'after' });
});

it('remembers no failure, but that a contact does not exist', async () => {
	const memory = new ContactMemory({ writes: 0 });
	const answers = [Promise.reject(new Error('down')), Promise.resolve(undefined)];
	const read = async () => await answers.shift()!;
	await expect(memory.read(PATH, read)).rejects.toThrow('down');
	expect(await memory.read(PATH, read)).toBeUndefined();
	expect(await memory.read(PATH, read)).toBeUndefined();
});
