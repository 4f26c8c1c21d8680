import type { ZodObject, ZodRawShape } from 'zod';

/** Where our knowledge of a shape comes from. */
export type Certainty =
	/** The spec shows it. */
	| { stated: string }
	/** The spec is silent; this is what we expect, and why. */
	| { assumed: string };

/** @param section of the spec that shows it */
export const stated = (section: string): Certainty => ({ stated: section });

/** @param what is expected, and why */
export const assumed = (what: string): Certainty => ({ assumed: what });

/** What we know of a kind of record. */
export interface RecordShape {
	/** The word for one and for many, as the service's envelopes would name them. */
	singular: string;
	plural: string;
	certainty: Certainty;
	/** The fields of the simplified output, for a record that has more than ten. */
	simplified?: string[];
	/** Documents the fields and makes the output preview; never used to reject or drop what came. */
	schema: ZodObject<ZodRawShape>;
}
