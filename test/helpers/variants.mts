import type { Variant } from '../../sandbox/variant.mts';

/** The shapes in which the service might answer, each alone and some together; the first is the documented one. */
export const VARIANTS: Array<Partial<Variant>> = [
	{},
	{ envelope: 'bare' },
	{ record: 'named' },
	{ record: 'named-with-siblings' },
	{ list: 'array' },
	{ list: 'items' },
	{ pagination: 'beside' },
	{ pagination: 'none' },
	{ numbers: 'string' },
	{ status: 200 },
	{ status: 201 },
	{ status: 204 },
	{ order: 'asc' },
	{ order: 'random' },
	{ envelope: 'bare', record: 'named', list: 'items', pagination: 'none', status: 200 },
	{ envelope: 'bare', list: 'array', pagination: 'none', numbers: 'string', order: 'random' },
	{ record: 'named-with-siblings', list: 'items', pagination: 'beside', numbers: 'string' },
];
