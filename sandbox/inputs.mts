import { z } from 'zod';
import { invalid } from './failure.mts';

/**
 * What requests may hold. Types are checked, values of open enumerations are not (the spec does
 * not list them), and fields nobody knows are let through unread.
 */

const name = z.string().trim().min(1);

/** An ISO 8601 date (UTC) or date-time as text. */
export const isoDate = z
	.string()
	.regex(/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/, {
		message: 'must be an ISO 8601 date or date-time',
	})
	.refine((text) => !Number.isNaN(Date.parse(text)), 'must be a date that exists');

/** The body of contact writes, and `contact` in a lead (spec part 2). `null` clears a field. */
export const contactBody = z.object({
	name: z.string().nullish(),
	email: z.string().nullish(),
	phone: z.string().nullish(),
});

/** The body of PUT /leads/:id: the fields of creation (assumed). `null` clears a field. */
export const leadBody = z.object({
	externalId: z.string().min(1).optional(),
	contactId: z.string().min(1).optional(),
	contact: contactBody.optional(),
	status: name.optional(),
	priority: name.optional(),
	source: name.optional(),
	estimatedValue: z.number().finite().nullish(),
	saleDate: isoDate.nullish(),
	notes: z.string().nullish(),
	tags: z.array(name).optional(),
});

/** The body of POST /leads (spec 4.3). */
export const upsertBody = leadBody.extend({
	protocol: z.string().optional(),
	createContactIfNotFound: z.boolean().optional(),
});

/** The body of PATCH /leads/:uuid/status: "the only field accepted" (spec 4.4). */
export const leadStatusBody = z.object({ status: name }).strict();

/** The body of POST /leads/:uuid/tags (assumed). */
export const leadTagsBody = z.object({ tags: z.array(name).min(1) });

/** The body of POST /leads/:id/interactions (spec part 2); its list of types is complete. */
export const interactionBody = z.object({
	type: z.enum([
		'NOTE',
		'CALL',
		'EMAIL',
		'MEETING',
		'COMMENT',
		'TASK_CREATED',
		'TASK_COMPLETED',
		'CUSTOM',
	]),
	title: z.string().nullish(),
	description: z.string().nullish(),
	metadata: z.record(z.unknown()).nullish(),
});

/** The body of POST /tags (assumed). */
export const tagBody = z.object({ name });

/** The body of POST /conversations (assumed): whom it is with, plus free fields. */
export const conversationBody = z
	.object({ leadId: z.string().optional(), contactId: z.string().optional() })
	.catchall(z.unknown());

/** The body of POST /conversations/:id/messages (assumed): the text, plus free fields. */
export const messageBody = z.object({ content: z.string().min(1) }).catchall(z.unknown());

/** The body of PATCH /messages/:id/status (assumed). */
export const messageStatusBody = z.object({ status: name });

/** The body of POST /sync (assumed); each element is checked by itself. */
export const syncBody = z.object({ leads: z.array(z.unknown()) });

/** Which page of a list (spec 4.1; assumed for the other lists). */
export const pageQuery = z.object({
	page: z.coerce.number().int().min(1).default(1),
	limit: z.coerce.number().int().min(1).default(20),
});

/** The query of GET /contacts: `search` as for leads (assumed). */
export const contactQuery = z.object({ search: z.string().optional() });

/** The query of GET /contacts/lookup (assumed). */
export const lookupQuery = z.object({
	email: z.string().optional(),
	phone: z.string().optional(),
});

/** The query of GET /leads (spec 4.1), without the page. An empty value is no filter. */
export const leadQuery = z.object({
	status: z.string().optional(),
	priority: z.string().optional(),
	source: z.string().optional(),
	tag: z.string().optional(),
	search: z.string().optional(),
	createdAfter: isoDate.or(z.literal('')).optional(),
	createdBefore: isoDate.or(z.literal('')).optional(),
});

/** The value as its schema describes it. Throws 400 naming the field that does not fit. */
export function parse<S extends z.ZodTypeAny>(schema: S, value: unknown): z.output<S> {
	const result = schema.safeParse(value ?? {});
	if (result.success) return result.data;
	const [{ path, message }] = result.error.issues;
	throw invalid(path.length ? `"${path.join('.')}": ${message}` : message);
}
