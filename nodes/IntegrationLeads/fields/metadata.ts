/** The free-form `metadata` of an interaction (spec 2), field by field or as JSON. */
import { isEmpty } from 'lodash';

import { isRecord } from '../contract/envelope';
import type { Convert, Parameter } from '../operation';
import { isAbsent } from '../values/argument';
import { isBlank, toObject } from '../values/convert';

/** Converts rows of name and value to the object that is sent. Rows without a name or a value are ignored. */
const toMetadata: Convert = (rows, { tool }) => {
	const fields = isRecord(rows) && Array.isArray(rows.field) ? rows.field.filter(isRecord) : [];
	const named = fields.map(({ name, value }) => [String(name ?? '').trim(), value] as const);
	const given = Object.fromEntries(
		named.filter(([name, value]) => name !== '' && !(tool ? isAbsent : isBlank)(value)),
	);
	return isEmpty(given) ? undefined : given;
};

/** Options; what is given in both is sent together. */
export const metadata: Parameter[] = [
	{
		displayName: 'Metadata',
		name: 'metadataFields',
		type: 'fixedCollection',
		in: 'body',
		field: 'metadata',
		convert: toMetadata,
		typeOptions: { multipleValues: true },
		placeholder: 'Add field',
		default: {},
		description: 'Extra data, such as a duration and a result',
		options: [
			{
				displayName: 'Field',
				name: 'field',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. duration',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. 120',
						description: 'Sent as text; an expression may return any type',
					},
				],
			},
		],
	},
	{
		displayName: 'Metadata as JSON',
		name: 'metadata',
		type: 'json',
		in: 'body',
		convert: toObject,
		// n8n's editor marks an empty JSON field as invalid.
		default: '{}',
		placeholder: 'e.g. {"duration": 120, "result": "reached"}',
		description: 'Extra data as a JSON object, joined with the fields under Metadata',
	},
];
