import type { ZodObject, ZodRawShape } from 'zod';

/** Where our knowledge of a shape comes from. */
export type Certainty =
	/** The spec shows it. */
	| { stated: string }
	/** The spec is silent; this is what we expect, and why. */
	| { assumed: string };

/** What we know of a kind of record. */
export interface RecordShape {
	/** The word for one and for many, as the service's envelopes would name them. */
	singular: string;
	plural: string;
	certainty: Certainty;
	/** Documents the fields and makes the output preview; never used to reject or drop what came. */
	schema: ZodObject<ZodRawShape>;
}
