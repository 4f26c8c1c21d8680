import type Ajv from 'ajv/dist/2020.js';
import lodash from 'lodash';
import { z } from 'zod';
import { createValidator, openapi, type Operation, type Schema } from '../openapi.mts';
import { invalid } from './failure.mts';
import type { UpsertInput } from './upsert.mts';

const bodies = createValidator();
/** A query is text: numbers are read from it, and a page that is not asked for is the first. */
const queries = createValidator({ coerceTypes: true, useDefaults: true });
// What a limit above the maximum does is not shown: here it gives the largest page.
queries.removeKeyword('maximum');

/** The field that does not fit its schema, and why. */
function findInvalid(ajv: Ajv, schema: Schema, value: unknown) {
	if (ajv.validate(schema, value)) return undefined;
	const [{ instancePath, params, message = 'is not valid' }] = ajv.errors ?? [];
	const { additionalProperty: extra } = params as { additionalProperty?: string };
	return { path: [...instancePath.split('/').slice(1), ...(extra ? [extra] : [])], message };
}

function check(ajv: Ajv, schema: Schema, value: unknown): void {
	const found = findInvalid(ajv, schema, value);
	if (found) throw refuse(found);
}

const refuse = ({ path, message }: { path: Array<string | number>; message: string }) =>
	invalid(path.length ? `"${path.join('.')}": ${message}` : message);

/** The query of a request, with numbers and defaults. Throws 400. */
export function checkedQuery(
	{ query }: Operation,
	given: Record<string, unknown>,
): Record<string, unknown> {
	// A filter without a value is none.
	const copy = lodash.omitBy(given, (value) => value === '');
	check(queries, query, copy);
	return copy;
}

/** The body of a request. Throws 400. */
export function checkedBody({ id, body }: Operation, given: unknown = {}): unknown {
	// The leads of a batch are checked individually: one that is wrong does not refuse the others.
	if (body && id !== 'pushLeads') check(bodies, body, given);
	return given;
}

/** The body of POST /sync (assumed). */
export const syncBody = z.object({ leads: z.array(z.unknown()) });

/** One lead of a batch: the body of POST /leads. */
export const upsertBody = z.custom<UpsertInput>().superRefine((lead, context) => {
	const found = findInvalid(bodies, openapi.components.schemas.LeadUpsert, lead);
	if (found) context.addIssue({ code: 'custom', ...found });
});

/** The value as its schema describes it. Throws 400 naming the field that does not fit. */
export function parse<S extends z.ZodTypeAny>(schema: S, value: unknown): z.output<S> {
	const result = schema.safeParse(value ?? {});
	if (result.success) return result.data;
	throw refuse(result.error.issues[0]);
}
