import { z } from 'zod';

/**
 * Where the spec is silent, the service might answer in any of these ways. The defaults are what
 * the spec shows, and the plainest reading of it elsewhere.
 */
export const variantSchema = z
	.object({
		/** `wrapped`: `{ success, data }` (spec 4); `bare`: the data is the body. */
		envelope: z.enum(['wrapped', 'bare']).default('wrapped'),
		/** One record: `data` itself, `data.lead`, or `data.lead` with siblings such as `data.created`. */
		record: z.enum(['bare', 'named', 'named-with-siblings']).default('bare'),
		/** A list: `data.leads` (spec 4.1), `data` itself, or `data.items`. */
		list: z.enum(['named', 'array', 'items']).default('named'),
		/** The pagination object: in `data` (spec 4.1), a sibling of it, or nowhere. */
		pagination: z.enum(['inside', 'beside', 'none']).default('inside'),
		/** The numbers of the pagination object: numbers (spec part 2) or digits in a string. */
		numbers: z.enum(['number', 'string']).default('number'),
		/** Success status of writes; `default` is 201 for what was created, else 200. */
		status: z
			.union([z.literal('default'), z.literal(200), z.literal(201), z.literal(204)])
			.default('default'),
		/** The order of lists, by creation time; `random` is a shuffle that stays the same. */
		order: z.enum(['desc', 'asc', 'random']).default('desc'),
		/** `true`: every page is the first page. */
		ignorePage: z.boolean().default(false),
		/** The largest page served (spec part 8: 100); a larger `limit` is cut to it. */
		maxPage: z.number().int().positive().default(100),
		/** The creation time in records: in milliseconds as in spec part 2, or not shown. */
		createdAt: z.enum(['milliseconds', 'none']).default('milliseconds'),
	})
	.strict();

/** How the service answers where the spec leaves it open. */
export type Variant = z.output<typeof variantSchema>;
