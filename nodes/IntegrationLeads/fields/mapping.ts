/** The lead of a row: which columns it may have, by hand or by heading. */
import { isEqual, mapValues } from 'lodash';
import type {
	IDataObject,
	IDisplayOptions,
	INodePropertyOptions,
	ResourceMapperField,
} from 'n8n-workflow';

import { contactHas } from '../contract/contactMatch';
import { isRecord } from '../contract/envelope';
import type { Convert, ConvertContext, Parameter } from '../operation';
import { convertOrNote, InputError } from '../userError';
import { toIdentifier } from '../values/convert';
import { converterOf } from '../values/converter';
import { toAddress } from '../values/identity';
import { contactFields } from './contact';
import type { Cell } from './headings';
import { labelOf, parseRow } from './headings';
import {
	createContactIfNotFound,
	details,
	externalId,
	ofContact,
	protocol,
	tagsFromList,
} from './lead';

/** Types with their own input in the resource mapper. The others are text there. */
const WIDGETS = ['number', 'dateTime', 'options'] as const;

/** The fields of a lead that can be mapped, one column each. `within` is their parent in the body. */
export const columns: Array<{ field: Parameter; within?: 'contact' }> = [
	{ field: externalId },
	{ field: protocol },
	...contactFields.map((field) => ({ field, within: 'contact' as const })),
	// A cell holds tag names as text, so the picker is left out.
	...details.filter((field) => field !== tagsFromList).map((field) => ({ field })),
	{ field: { ...ofContact, displayName: 'Contact ID', type: 'string', convert: toIdentifier } },
	{ field: createContactIfNotFound },
];

/** The columns as n8n's resource mapper shows them. */
export const leadColumns: ResourceMapperField[] = columns.map(({ field, within }) => ({
	id: field.name,
	displayName: within ? `Contact ${field.displayName}` : field.displayName,
	type: WIDGETS.find((type) => type === field.type) ?? 'string',
	options: field.type === 'options' ? (field.options as INodePropertyOptions[]) : undefined,
	required: false,
	display: true,
	// With manual mapping, only the column that most leads need is shown at first.
	removed: field !== externalId,
	defaultMatch: false,
	canBeUsedToMatch: false,
}));

/** Converts mapped values, or an input item with headings of these fields, to a lead as in 4.3. */
export const toMappedLead: Convert = (mapping, context) => {
	if (!isRecord(mapping)) return undefined;
	if (mapping.mappingMode !== 'autoMapInputData') {
		if (!isRecord(mapping.value)) return undefined;
		const given = mapValues(mapping.value, (value, heading): Cell[] => [{ heading, value }]);
		return leadFromCells(given, context);
	}
	const { externalIdColumn, unknownColumns } = context.options ?? {};
	const { cells, unknown } = parseRow(context.input ?? {}, externalIdColumn);
	if (unknown.length > 0) {
		convertOrNote(context.mistakes, () => {
			if (unknownColumns === 'fail') throw unknownColumnsError(unknown);
			context.onUnsent?.(unknown);
		});
	}
	return leadFromCells(cells, context);
};

function unknownColumnsError(headings: string[]): InputError {
	return new InputError(
		`A lead has no field for ${headings.map((heading) => `"${heading}"`).join(', ')}`,
		'Rename the column to a field of a lead (External ID, Name, Email, Phone, …), remove it, map each column by hand, or set Options > Unknown Columns to Ignore.',
	);
}

function leadFromCells(given: Record<string, Cell[]>, context: ConvertContext): IDataObject {
	const lead: IDataObject = {};
	const contact: IDataObject = {};
	for (const { field, within } of columns) {
		const cells = given[field.name] ?? [];
		const value = convertOrNote(context.mistakes, () => valueOf(field, cells, context));
		if (value !== undefined) (within ? contact : lead)[field.name] = value as IDataObject[string];
	}
	return Object.keys(contact).length > 0 ? { ...lead, contact } : lead;
}

/**
 * The value of a field from its cells.
 *
 * @throws InputError if they hold two
 */
function valueOf(field: Parameter, cells: Cell[], context: ConvertContext): unknown {
	const { name, displayName } = field;
	const convert = converterOf(field);
	const converted = cells.map(({ heading, value, isAddress = false }) => {
		const label = heading === name ? displayName : heading;
		const read = isAddress ? toAddress : convert;
		return { heading, value: read ? read(value, { ...context, label }) : value };
	});
	const [first, ...others] = converted.filter(({ value }) => value !== undefined);
	const other = others.find(({ value }) => !isSameValue(name, first.value, value));
	if (!other) return first?.value;
	throw new InputError(
		`"${first.heading}" and "${other.heading}" are two columns for "${labelOf(name)}"`,
		'A lead has one, and the values differ. Remove one of the two columns, or rename it to a heading of your own, and it is not sent.',
	);
}

/** Whether two values of a field mean the same: an email in another case, a phone with or without its ninth digit. */
function isSameValue(name: string, one: unknown, other: unknown): boolean {
	if (isEqual(one, other)) return true;
	const isTrait = name === 'email' || name === 'phone';
	return isTrait && contactHas({ [name]: other }, name, String(one), 'whole') === true;
}

type Show = NonNullable<IDisplayOptions['show']>;

/** The lead of an item from its columns. `show`: with which settings of the operation. */
export const leadFromColumns = (show: Show): Parameter[] => [
	{
		displayName: 'Fields',
		name: 'lead',
		type: 'resourceMapper',
		in: 'body',
		spread: true,
		convert: toMappedLead,
		displayOptions: { show },
		noDataExpression: true,
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getLeadColumns',
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				supportAutoMap: true,
			},
		},
		default: { mappingMode: 'autoMapInputData', value: null },
		description: 'Each lead needs External ID, or Protocol. What is empty in an item is not sent.',
		builderHint: {
			propertyHint:
				'Keep the automatic mapping, and have the step before name the fields of each item externalId, name, email, phone, status, source, estimatedValue, saleDate or tags; headings of a spreadsheet such as "External ID" or "Telefone" are understood too. One item is one lead; Push Leads makes the batches.',
		},
	},
	{
		// n8n shows the columns only with manual mapping.
		displayName: `With Map Automatically, these columns of the input are sent: ${columns.map(({ field }) => labelOf(field.name)).join(', ')}. Their names in Portuguese or Spanish and other spellings are understood too; columns of other names are left out. If another column identifies the lead, name it under Options > External ID Column.`,
		name: 'leadFieldNames',
		type: 'notice',
		displayOptions: { show: { ...show, '/lead.mappingMode': ['autoMapInputData'] } },
		default: '',
	},
];

/** The options of {@link leadFromColumns}; the names in `show` begin with a slash. */
export function columnOptions(show: Show): Parameter[] {
	const displayOptions: IDisplayOptions = { show, hide: { '@tool': [true] } };
	return [
		{
			displayName: 'External ID Column',
			name: 'externalIdColumn',
			type: 'string',
			displayOptions,
			default: '',
			placeholder: 'e.g. Order, or Email',
			description:
				'The column with your own unique ID of each lead, if it is not called External ID. Rows without an ID may have the email or the phone as their ID. With Map Automatically.',
		},
		{
			displayName: 'Unknown Columns',
			name: 'unknownColumns',
			type: 'options',
			displayOptions,
			options: [
				{ name: 'Fail', value: 'fail', description: 'The item fails, and nothing of it is sent' },
				{
					name: 'Ignore',
					value: 'ignore',
					description: 'They are not sent. A hint and "notSent" in the output name them.',
				},
			],
			default: 'ignore',
			description: 'What to do with columns that are no field of a lead, with Map Automatically',
		},
	];
}
