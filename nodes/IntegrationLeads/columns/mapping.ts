/** Declares the columns of a lead in the panel, to be mapped by hand or found by their headings. */
import type { IDisplayOptions, INodePropertyOptions, ResourceMapperField } from 'n8n-workflow';

import type { Parameter } from '../operation';
import { labelOf } from './headings';
import { mappableFields, toMappedLead } from './columns';
import { flag, text } from '../fields/options';

/** Types with their own input in the resource mapper. The others are text there. */
const WIDGETS = ['number', 'options'] as const;

const AT_FIRST = ['externalId', 'name', 'email', 'phone'];

/** The columns as n8n's resource mapper shows them. */
export const mapperFields: ResourceMapperField[] = mappableFields.map(({ field, within }) => ({
	id: field.name,
	displayName: within ? `Contact ${field.displayName}` : field.displayName,
	type: WIDGETS.find((type) => type === field.type) ?? 'string',
	options: field.type === 'options' ? (field.options as INodePropertyOptions[]) : undefined,
	required: false,
	display: true,
	// With manual mapping, these are shown at first.
	removed: !AT_FIRST.includes(field.name),
	defaultMatch: false,
	canBeUsedToMatch: false,
}));

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
		description:
			'Each lead needs External ID, Protocol, Email or Phone. What is empty in an item is not sent.',
		builderHint: {
			propertyHint:
				'Keep the automatic mapping, and have the step before name the fields of each item externalId, name, email, phone, leadStatus, leadSource, estimatedValue, saleDate or tags. One item is one lead; Push Leads makes the batches.',
		},
	},
	{
		// n8n shows the columns only with manual mapping.
		displayName: `Columns of the input with these names are sent: ${mappableFields.map(({ field }) => labelOf(field.name)).join(', ')}; also in Portuguese or Spanish. Other columns are left out (Create or Update notes the answers of a form), and so are values that may mean something else, such as the status of an order. To send them, map by hand. If another column identifies the lead, name it under Options > External ID Column.`,
		name: 'leadFieldNames',
		type: 'notice',
		displayOptions: { show: { ...show, '/lead.mappingMode': ['autoMapInputData'] } },
		default: '',
	},
];

/** An option of {@link leadFromColumns}; the names in `show` begin with a slash. */
export const externalIdColumn = (show: Show) =>
	text('External ID Column', 'externalIdColumn', {
		displayOptions: { show, hide: { '@tool': [true] } },
		placeholder: 'e.g. Order, or Email',
		description:
			'The column with your own unique ID of each lead, if it is not called External ID. Rows without an ID are found by their email or phone.',
	});

/** An option of {@link leadFromColumns}, as the one above. */
export const noteColumns = (show: Show) =>
	flag('Note Other Columns', 'noteColumns', false, {
		displayOptions: { show, hide: { '@tool': [true] } },
		description:
			'Whether columns that are not lead fields, such as an owner, a lost reason or a second phone, become one note in the history of the lead. Each row then takes up to three requests more, and a row that changes gets another note.',
	});
