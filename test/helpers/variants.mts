import type { Variant } from '../../sandbox/variant.mts';

/** The shapes in which the service might answer: the documented one, and several differences together. */
export const VARIANTS: Array<Partial<Variant>> = [
	{},
	{ status: 204 },
	{ envelope: 'bare', list: 'array', pagination: 'none', numbers: 'string', order: 'random' },
	{ record: 'named-with-siblings', list: 'items', pagination: 'beside', numbers: 'string' },
];
