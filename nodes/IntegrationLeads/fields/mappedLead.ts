/** The lead of an item, from its columns or from columns that were mapped by hand. Pure. */
import {
	attempt,
	difference,
	isEqual,
	isError,
	mapValues,
	partition,
	sortBy,
	toString,
	uniq,
} from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { contactHas } from '../contract/contactMatch';
import { isRecord } from '../contract/envelope';
import type { Convert, ConvertContext, Parameter } from '../operation';
import { convertOrNote, InputError } from '../userError';
import { toIdentifier } from '../values/convert';
import { converterOf } from '../values/converter';
import { toAddress } from '../values/identity';
import { contactFields } from './contactFields';
import type { Guess } from './guesses';
import { leftOutBecause, misfitOf } from './guesses';
import { isOfPerson, labelOf, normalizeHeading, saleFieldOf } from './headings';
import type { Column } from './itemColumns';
import { columnsOf } from './itemColumns';
import {
	createContactIfNotFound,
	details,
	externalId,
	leadIdText,
	ofContact,
	protocol,
	tagsFromList,
} from './leadFields';
import type { LeaveOut } from './people';
import { personIn } from './people';

/** A value of a row, and the heading of its column. */
interface Cell {
	heading: string;
	value: unknown;
	/** It is an email or a phone, also where it is the external ID. */
	isAddress?: boolean;
}

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

/** The fields of a sale, and what tells whose it is. */
const SALE_FIELDS = ['externalId', 'email', 'phone', 'estimatedValue', 'saleDate'];
const saleColumns: typeof columns = [
	...columns.filter(({ field: { name } }) => SALE_FIELDS.includes(name)),
	{ field: leadIdText },
];

/** Two of them in a row are two leads. */
const IDENTIFIERS = ['externalId', 'leadId', 'protocol', 'contactId'];

/** Converts mapped values, or an input item with headings of these fields, to a lead as in 4.3. */
export const toMappedLead: Convert = (mapping, context: ConvertContext) => {
	if (!isRecord(mapping)) return undefined;
	if (mapping.mappingMode !== 'autoMapInputData') {
		if (!isRecord(mapping.value)) return undefined;
		const given = mapValues(mapping.value, (value, heading): Cell[] => [{ heading, value }]);
		return leadFromCells(given, context);
	}
	const { unknownColumns } = context.options ?? {};
	const { cells, unknown } = cellsOf(columnsOf(context.input ?? {}), context);
	if (unknown.length > 0) {
		convertOrNote(context.mistakes, () => {
			if (unknownColumns === 'fail') throw unknownColumnsError(unknown);
			context.onUnsent?.(unknown);
		});
	}
	return leadFromCells(cells, context);
};

/** Converts the columns of an input item to a sale. Its other columns are no concern of the sale. */
export const toSaleOfRow: Convert = (specified, context: ConvertContext) => {
	if (specified !== 'columns') return undefined;
	const all = columnsOf(context.input ?? {});
	const hasDate = all.some(({ meaning }) => meaning?.field === 'saleDate');
	const ofSale = all.map((column): Column => {
		const field = column.meaning?.field ?? saleFieldOf(column.heading);
		// Beside the date of the sale, "Date" is another one. Two values are for the user to choose from.
		const isOther = field === 'saleDate' && hasDate && !column.meaning;
		if (field === undefined || isOther) return column;
		if (!isOfPerson(field) && !saleColumns.some((each) => each.field.name === field)) {
			return { ...column, meaning: undefined };
		}
		const own = { field, person: '', group: '', isAnyones: false, isAmbiguous: false };
		return { ...column, meaning: column.meaning ?? own };
	});
	return leadFromCells(cellsOf(ofSale, context).cells, context, saleColumns);
};

/** The cells of each field that the columns of an item fit, and what is no field. */
function cellsOf(all: Column[], context: ConvertContext) {
	const cells: Record<string, Cell[]> = {};
	const add = (name: string, cell: Cell) => (cells[name] ??= []).push(cell);
	const leaveOut = leaveOutOf(context);
	const idHeading = normalizeHeading(toString(context.options?.externalIdColumn));
	const isId = ({ heading }: Column) => idHeading !== '' && normalizeHeading(heading) === idHeading;
	const [known, unknown] = partition(
		all,
		(column): column is Guess => column.meaning !== undefined,
	);
	for (const { heading, value, meaning } of all.filter(isId)) {
		const isAddress = meaning?.field === 'email' || meaning?.field === 'phone';
		add('externalId', { heading, value, isAddress });
	}
	const fitting = known
		.filter((column) => isOfPerson(column.meaning.field) || !isId(column))
		.filter((column) => {
			const misfit = misfitOf(column, all, context);
			if (misfit !== undefined) leaveOut(column, misfit);
			return misfit === undefined;
		});
	const [ofPeople, others] = partition(fitting, ({ meaning }) => isOfPerson(meaning.field));
	const chosen = known.find(isId)?.meaning.person;
	for (const { heading, value, meaning } of [
		...personIn(ofPeople, chosen, context, leaveOut),
		...others,
	]) {
		add(meaning.field, { heading, value });
	}
	return {
		cells,
		unknown: outermost(
			unknown.filter((column) => !isId(column)),
			all,
		),
	};
}

/** What is not sent, by the outermost object of which nothing is. */
function outermost(unsent: Column[], all: Column[]): string[] {
	const headsOf = ({ keys }: Column) => keys.map((_, last) => keys.slice(0, last + 1).join('.'));
	const sent = new Set(difference(all, unsent).flatMap(headsOf));
	return uniq(
		unsent.map((column) => headsOf(column).find((head) => !sent.has(head)) ?? column.heading),
	);
}

function leaveOutOf({ onLeftOut }: ConvertContext): LeaveOut {
	return ({ heading, value }, reason) => onLeftOut?.(heading, leftOutBecause(value, reason));
}

function unknownColumnsError(headings: string[]): InputError {
	return new InputError(
		`A lead has no field for ${headings.map((heading) => `"${heading}"`).join(', ')}`,
		'Rename the column to a field of a lead (External ID, Name, Email, Phone, …), remove it, map each column by hand, or set Options > Unknown Columns to Ignore.',
	);
}

function leadFromCells(
	given: Record<string, Cell[]>,
	context: ConvertContext,
	wanted = columns,
): IDataObject {
	const lead: IDataObject = {};
	const contact: IDataObject = {};
	for (const { field, within } of wanted) {
		const cells = given[field.name] ?? [];
		const value = convertOrNote(context.mistakes, () => valueOf(field, cells, context));
		if (value !== undefined) (within ? contact : lead)[field.name] = value as IDataObject[string];
	}
	return Object.keys(contact).length > 0 ? { ...lead, contact } : lead;
}

/**
 * The value of a field from its cells. Of several phones it is the mobile. Of other values that differ none is: which one is
 * right is not known. A cell that cannot be read is left out if another one can.
 *
 * @throws InputError for two values that identify the lead, and for one that cannot be read
 */
function valueOf(field: Parameter, cells: Cell[], context: ConvertContext): unknown {
	const { name, displayName } = field;
	const leaveOut = leaveOutOf(context);
	const convert = converterOf(field);
	const results = cells.map((cell) => {
		const label = cell.heading === name ? displayName : cell.heading;
		const read = cell.isAddress ? toAddress : convert;
		return {
			cell,
			value: attempt(() => (read ? read(cell.value, { ...context, label }) : cell.value)),
		};
	});
	const [failed, others] = partition(results, ({ value }) => isError(value));
	const read = others.filter(({ value }) => value !== undefined);
	if (failed.length > 0 && (read.length === 0 || IDENTIFIERS.includes(name))) throw failed[0].value;
	for (const { cell } of failed) leaveOut(cell, 'cannot be read, and another column has the value');
	const [first] =
		name === 'phone'
			? sortBy(read, [(each) => !isMobileNumber(each), (each) => !isMobileHeading(each)])
			: read;
	const different = read.filter(({ value }) => !isSameValue(name, first.value, value));
	if (different.length === 0) return first?.value;
	const [{ cell: other }] = different;
	if (IDENTIFIERS.includes(name)) {
		throw new InputError(
			`"${first.cell.heading}" and "${other.heading}" are two columns for "${labelOf(name)}"`,
			'A lead has one, and the values differ. Remove one of the two columns, or rename it to a heading of your own, and it is not sent.',
		);
	}
	const isPhone = name === 'phone';
	for (const { cell } of isPhone ? different : read) {
		const reason = isPhone
			? `is another phone than "${first.cell.heading}", which is sent`
			: `is one of several values for "${labelOf(name)}"`;
		leaveOut(cell, reason);
	}
	return isPhone ? first.value : undefined;
}

const isMobileNumber = ({ value }: { value: unknown }) => /^\+55\d\d9\d{8}$/.test(String(value));
const isMobileHeading = ({ cell }: { cell: Cell }) =>
	/cel|mobile|whats|wpp|zap|m[oó]vil|telem/i.test(cell.heading);

/** Whether two values of a field mean the same: an email in another case, a phone with or without its ninth digit. */
function isSameValue(name: string, one: unknown, other: unknown): boolean {
	if (isEqual(one, other)) return true;
	const isTrait = name === 'email' || name === 'phone';
	return isTrait && contactHas({ [name]: other }, name, String(one), 'whole') === true;
}
