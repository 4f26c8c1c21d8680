/** Nothing is selected by nothing: a filter whose expression found nothing must never return everybody. */
import type { IDataObject } from 'n8n-workflow';

import { resources } from '#built/nodes/IntegrationLeads/resources/index';
import { by, called, useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 3 });
const NOTHING = '={{ $json.nothing }}';
const BLANKS = [NOTHING, '={{ null }}', '={{ " \u200b" }}', '={{ [] }}', ''];

/** The filters of an operation, as the panel declares them. */
function filtersOf(name: string): Array<[name: string, label: string, type: string]> {
	const [resource, operation] = name.split('.');
	const { parameters } = resources[resource].operations[operation];
	const { options = [] } = parameters.find((each) => each.name === 'filters')!;
	return options.flatMap((each) =>
		'type' in each ? [[each.name, each.displayName, each.type]] : [],
	);
}

const OF_COLLECTIONS = ['lead.getAll', 'contact.getAll'].flatMap((operation) =>
	filtersOf(operation).flatMap(([name, label, type]) =>
		BLANKS.map((value) => {
			const given = type === 'resourceLocator' ? by('id', value) : value;
			return [operation, { filters: { [name]: given } }, label] as const;
		}),
	),
);

/** What selects without being in such a collection. */
const OTHERS: Array<readonly [operation: string, parameters: IDataObject, label: string]> = [
	['lead.getConversions', { status: NOTHING }, 'Status'],
	['lead.getConversions', { options: { createdWithin: NOTHING } }, 'Created Within (Days)'],
	['apiRequest.request', { path: '/leads', query: NOTHING }, 'Query'],
	[
		'apiRequest.request',
		{ path: '/leads', query: '={{ { status: $json.nothing } }}' },
		'Query: status',
	],
	['apiRequest.request', { path: '/leads', query: '{"status": " "}' }, 'Query: status'],
];

test.each([...OF_COLLECTIONS, ...OTHERS])('%s %j', async (operation, parameters, label) => {
	const all = { returnAll: true, paginate: true };
	const { items, error } = await lab.engine.run(called(operation, { ...all, ...parameters }));
	expect([items, lab.sandbox.controls.requests()]).toEqual([[], []]);
	expect(error?.message).toBe(`"${label}" is empty`);
	expect(error?.description).toMatch(/^(Check what its expression gives|Enter a value for)/);
});

test('every filter has rows', () => {
	expect(OF_COLLECTIONS.map(([operation, , label]) => `${operation} ${label}`)).toEqual(
		expect.arrayContaining(['lead.getAll Search', 'lead.getAll Tag', 'contact.getAll Email']),
	);
	expect(OF_COLLECTIONS).toHaveLength((9 + 3) * BLANKS.length);
});

test('an agent gives a blank for a filter that it does not want', async () => {
	const filters = { search: '', status: '', tag: by('id', ''), email: 'N/A' };
	const parameters = called('lead.getAll', { returnAll: true, filters });
	const { items } = await lab.engine.run(parameters, { asTool: true });
	expect(items.map(({ json }) => json.error ?? typeof json.id)).toEqual(Array(3).fill('string'));
});

test('a filter that is not added, and an empty query, are none', async () => {
	for (const name of ['lead.getAll', 'contact.getAll']) {
		const { items } = await lab.engine.run(called(name, { returnAll: true, filters: {} }));
		expect(items.length).toBeGreaterThan(1);
	}
	const list = { path: '/leads', paginate: true, returnAll: true };
	for (const query of [{}, { query: '{}' }]) {
		const { items } = await lab.engine.run(called('apiRequest.request', { ...list, ...query }));
		expect(items).toHaveLength(3);
	}
});

test('a path that ends where an expression found nothing', async () => {
	const { error } = await lab.engine.run(
		called('apiRequest.request', { method: 'DELETE', path: `=/leads/{{ $json.nothing }}` }),
	);
	expect(error?.message).toBe('"Path" lacks its last part: "/leads/"');
	expect(lab.sandbox.controls.requests()).toEqual([]);
});

test.each<[IDataObject, string]>([
	[{ filters: { search: '={{ null }}' } }, 'Search'],
	[{ filters: { tag: by('id', '') } }, 'Tag'],
	[{ fromStatus: '={{ undefined }}' }, 'From Status'],
	[{ toStatus: '={{ [null] }}' }, 'To Status'],
])('the trigger with %j', async (parameters, label) => {
	const triggerOn = ['lead.created', 'lead.statusChanged'];
	await expect(lab.engine.trigger({ triggerOn, ...parameters }).poll()).rejects.toMatchObject({
		message: `"${label}" is empty`,
	});
});
