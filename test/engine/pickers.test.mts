/** What resource locators list: searched by the service, a page at a time, through n8n's own context. */
import type { INodeListSearchResult } from 'n8n-workflow';

import { IntegrationLeads } from '#built/nodes/IntegrationLeads/IntegrationLeads.node';
import type { Lab } from '../helpers/lab.mts';
import { startLab } from '../helpers/lab.mts';

let lab: Lab;
beforeAll(async () => {
	lab = await startLab({ seed: 120 });
});
afterAll(async () => await lab.sandbox.close());

const { listSearch, loadOptions, resourceMapping } = new IntegrationLeads().methods;

async function search(
	method: keyof typeof listSearch,
	filter?: string,
	token?: string,
	apiKey?: string,
) {
	const context = lab.withKey(apiKey ?? lab.sandbox.keys.full).context();
	return (await listSearch[method].call(context, filter, token)) as INodeListSearchResult;
}

test('leads come a page at a time, each once', async () => {
	const names: string[] = [];
	let token: string | undefined;
	let pages = 0;
	do {
		const { results, paginationToken } = await search('searchLeads', undefined, token);
		names.push(...results.map(({ value }) => String(value)));
		token = paginationToken as string | undefined;
		pages += 1;
	} while (token);
	expect([names.length, new Set(names).size, pages]).toEqual([120, 120, 3]);
});

test('leads are searched by the service and shown with what tells them apart', async () => {
	lab.sandbox.controls.clearRequests();
	const { results } = await search('searchLeads', 'Contact 00001');
	expect(results.length).toBeGreaterThan(0);
	expect(results[0].name).toMatch(/^Contact 00001\d · .+ · \w+$/);
	expect(lab.sandbox.controls.requests()[0].query).toMatchObject({ search: 'Contact 00001' });
});

test.each(['searchContacts', 'searchTags'] as const)('%s lists by name', async (method) => {
	const { results } = await search(method);
	expect(results.length).toBeGreaterThan(0);
	const [{ name }] = results;
	const found = await search(method, name.slice(0, 6));
	expect(found.results.map((each) => each.name)).toContain(name);
});

describe('with more tags than a page holds', () => {
	beforeAll(async () => {
		const names = Array.from(
			{ length: 130 },
			(_, index) => `many-${String(index).padStart(3, '0')}`,
		);
		for (const name of names) {
			await lab.engine.run({ resource: 'tag', operation: 'create', name });
		}
	});

	test('a tag is found on whichever page it is', async () => {
		const { results, paginationToken } = await search('searchTags', 'MANY-1');
		expect(results.map(({ name }) => name).sort()).toEqual(
			Array.from({ length: 30 }, (_, index) => `many-${index + 100}`),
		);
		expect(paginationToken).toBeUndefined();
	});

	test('the multi-select offers all of them, by name', async () => {
		const offered = await loadOptions.getTagNames.call(
			lab.withKey(lab.sandbox.keys.full).context(),
		);
		const names = offered.map(({ name }) => name);
		expect(names.filter((name) => name.startsWith('many-'))).toHaveLength(130);
		expect(offered.map(({ value }) => value)).toEqual(names);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	});

	test('the multi-select tells which scope its key lacks', async () => {
		const { key } = lab.sandbox.controls.addKey({ scopes: ['leads:write'] });
		await expect(loadOptions.getTagNames.call(lab.withKey(key).context())).rejects.toMatchObject({
			message: 'The API key does not permit: Search tags',
		});
	});
});

test('a key without the scope is told which one it needs', async () => {
	const { key } = lab.sandbox.controls.addKey({ scopes: ['sync'] });
	await expect(search('searchContacts', '', undefined, key)).rejects.toMatchObject({
		message: 'The API key does not permit: Search contacts',
		description: expect.stringContaining('contacts:read') as string,
	});
});

test('a lead can be mapped to its fields, each in one column', async () => {
	const { fields } = await resourceMapping.getLeadColumns();
	expect(fields.map(({ id }) => id).sort()).toEqual([
		'contactId',
		'createContactIfNotFound',
		'email',
		'estimatedValue',
		'externalId',
		'name',
		'notes',
		'phone',
		'priority',
		'protocol',
		'saleDate',
		'source',
		'status',
		'tags',
	]);
	expect(fields.filter(({ removed }) => !removed).map(({ id }) => id)).toEqual(['externalId']);
});
