/** Return All where the service pages in another way. */
import { useLab } from '../helpers/lab.mts';

const lab = useLab({ seed: 1000, rpm: 0 });

/** test/pure/returnAll.test.mts reads lists that change. */
test.each([
	{ pagination: 'none' },
	{ pagination: 'beside', numbers: 'string' },
	{ list: 'array', pagination: 'beside' },
	{ maxPage: 30 },
] as const)('reads an unchanged list whole when the service answers with %j', async (variant) => {
	const { controls, store } = lab.sandbox;
	controls.reset();
	controls.variant(variant);
	for (const name of ['a', 'b', 'c']) controls.createLead({ externalId: name });
	const { items, error, hints } = await lab.engine.run({ operation: 'getAll', returnAll: true });
	expect([error, hints]).toEqual([undefined, []]);
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(store.leads.size);
	expect(items).toHaveLength(store.leads.size);
});
