import type { Variant } from '../../sandbox/variant.mts';
import { onlyLong } from './long.mts';

/**
 * The shapes in which the service might answer: the documented one, and several differences together. Each alone shows
 * which one it is that something relies on.
 */
export const VARIANTS: Array<Partial<Variant>> = [
	{},
	{ status: 204 },
	{ envelope: 'bare', record: 'named', list: 'items', pagination: 'none', status: 200 },
	{ envelope: 'bare', list: 'array', pagination: 'none', numbers: 'string', order: 'random' },
	{ record: 'named-with-siblings', list: 'items', pagination: 'beside', numbers: 'string' },
	...onlyLong<Partial<Variant>>([
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
		{ order: 'asc' },
		{ order: 'random' },
	]),
];
