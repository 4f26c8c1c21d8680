/** Properties that operations share are one property, shown for exactly these operations. */
import fc from 'fast-check';
import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { mergePanels, type Panel } from '../../nodes/IntegrationLeads/mergePanels';

const property = (name: string): INodeProperties => {
	return { displayName: name, name, type: 'string', default: '' };
};
const fields = (names: string): INodeProperties => {
	const options = [...names].map(property);
	return { displayName: 'Fields', name: 'fields', type: 'collection', default: {}, options };
};

/** `lead.get: ab` is a panel with the properties a and b; names after a slash are the fields of a collection. */
function panel(text: string): Panel {
	const [at, names] = text.split(': ');
	const [resource, operation] = at.split('.');
	const [own, inner] = names.split('/');
	const collections = inner === undefined ? [] : [fields(inner)];
	return { resource, operation, properties: [...[...own].map(property), ...collections] };
}

/** What n8n shows in place of the panel, in the form above. */
function shownFor(at: Panel, merged: INodeProperties[]): string {
	const root = { resource: at.resource, operation: at.operation };
	const namesIn = (properties: INodeProperties[], level: INodeParameters): string =>
		properties
			.filter((each) => NodeHelpers.displayParameter(level, each, {} as INode, null, root))
			.map(({ name, options }) =>
				options ? `/${namesIn(options as INodeProperties[], {})}` : name,
			)
			.join('');
	return `${at.resource}.${at.operation}: ${namesIn(merged, root)}`;
}

it.each([
	['of one resource', ['lead.get: ab', 'lead.delete: ab', 'lead.getAll: c'], 'abc'],
	['of all operations', ['lead.get: a', 'tag.get: a'], 'a'],
	['of some resources', ['lead.get: a', 'tag.list: a', 'tag.add: b'], 'ab'],
	['that would be shown for others', ['lead.get: a', 'tag.list: a', 'tag.get: b'], 'aab'],
	['with others between them', ['lead.get: abc', 'lead.list: axc', 'lead.add: xc'], 'abxc'],
	['in different orders', ['lead.get: ab', 'lead.list: ba'], 'aba'],
])('equal properties %s', (_, texts, names) => {
	const merged = mergePanels(texts.map(panel));
	expect(merged.map(({ name }) => name).sort()).toEqual([...names].sort());
	expect(texts.map((text) => shownFor(panel(text), merged))).toEqual(texts);
});

it('conditions are only where they are needed', () => {
	expect(mergePanels(['lead.get: a', 'tag.get: a'].map(panel))).toEqual([property('a')]);
});

const names = (letters: string) =>
	fc.shuffledSubarray([...letters]).map((chosen) => chosen.join(''));
const anyPanel = fc
	.tuple(
		fc.constantFrom('lead', 'tag', 'contact'),
		fc.constantFrom('get', 'list', 'add'),
		names('abc'),
		fc.option(names('xyz')),
	)
	.map(([resource, operation, own, inner]) =>
		[`${resource}.${operation}: ${own}`, inner].filter((each) => each !== null).join('/'),
	);

it('n8n shows what each panel has, in its order', () => {
	const panels = fc.uniqueArray(anyPanel, { selector: (text) => text.split(':')[0] });
	fc.assert(
		fc.property(panels, (texts) => {
			const merged = mergePanels(texts.map(panel));
			expect(texts.map((text) => shownFor(panel(text), merged))).toEqual(texts);
		}),
	);
});
