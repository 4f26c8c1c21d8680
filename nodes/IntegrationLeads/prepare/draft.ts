/** Converts the values of an item to a draft, and notes every mistake in them; then makes the draft a plan. Sends nothing itself. */
import { createHash } from 'node:crypto';
import { compact, every, get, set, some, sortBy } from 'lodash';
import { isResourceLocatorValue, type IDataObject } from 'n8n-workflow';

import { isRecord, toRecord } from '../values/json';
import { isBlank, show } from '../values/convert';
import { parseConventions, type CodeForm, type ConvertContext } from '../values/context';
import { isOfForm } from '../fields/check';
import { convertParameter, fieldsIn } from '../fields/converter';
import { isEmail, parseLookup, type LookupMode } from '../values/identity';
import { parametersOf } from '../fields/options';
import { documentedValues, lead, type Lookup } from '../contract/records';
import {
	onlyReads,
	type Operation,
	type Parameter,
	type RunContext,
	type Values,
} from '../operation';
import {
	convertOrNote,
	emptyError,
	InputError,
	MISTAKEN,
	remedyFor,
	throwMistakes,
} from '../userError';
import { clock } from '../transport/clock';
import { encodeSegment, requireOneRecord } from '../transport/path';
import { emptyValues, type PathRecord, type Plan } from './plan';

/** Returns the value of a parameter as the user gave it, undefined if it is not set or not shown. */
export type ReadParameter = (name: string) => unknown;

/** A plan in which values are missing that only the service knows: IDs of records that the user named by something else. */
export interface Draft extends Plan {
	lookups: PendingLookup[];
}

/** A value that is not documented of a field whose list is open, see find/listedValues.ts. */
export interface ListedLookup {
	by: 'status' | 'priority';
	value: string;
	/** The word that the value was given as, if that is another. */
	word?: string;
}

/** Whether a lookup is for a value, and not for a record. */
export const isOfValue = (lookup: Lookup | ListedLookup): lookup is ListedLookup =>
	!('record' in lookup);

/** A lookup, and where the value that it finds is put. */
export interface PendingLookup {
	lookup: Lookup | ListedLookup;
	place: 'path' | 'query' | 'body' | 'options';
	/** With points for a field of an object. */
	field: string;
}

/** The context for converting an item. `countryCode` is unconverted, as in the credential. */
type DraftContext = Omit<RunContext, 'now' | 'countryCode'> & {
	now?: number;
	countryCode?: unknown;
};

/**
 * Converts and checks all values of an item.
 *
 * @returns one draft, or one for each part of the item if the operation splits items
 * @throws InputError that names each mistake and its field
 */
export function draftItem(
	operation: Operation,
	read: ReadParameter,
	draftContext: DraftContext,
): Draft[] {
	const mistakes: InputError[] = [];
	const lookups: PendingLookup[] = [];
	const values = emptyValues();
	const targets: PathRecord[] = [];
	const unreadable: ConvertContext['unreadable'] = [];
	const { extracted } = values;
	const onAnswers = (answers: string, isForm: boolean) =>
		void Object.assign(extracted, {
			...(answers !== '' && { answers }),
			isForm: isForm && operation.takesAnswers === true,
		});
	const onAd = (ad: IDataObject) => void (extracted.ad = ad);
	const words = new Map<unknown, string>();
	const onCodes = (codes: CodeForm[]) => void (extracted.codes = codes);
	const { input = {}, now = clock.now(), countryCode, ...others } = draftContext;
	const options = read('options');
	const context: RunContext = {
		...others,
		...parseConventions(countryCode),
		options: isRecord(options) ? options : undefined,
		input,
		now,
		...((operation.takesAnswers || toRecord(options).noteColumns === true) && { onAnswers, onAd }),
		onCodes,
		onTranslated: (value, word) => void words.set(value, word),
		mistakes,
		unreadable,
	};
	const drafted: Drafted = { values, targets, lookups };
	// In the order of declaration, so that the user's own JSON, which is declared last, wins.
	for (const parameter of parametersOf(operation)) {
		assignParameter(parameter, read(parameter.name), context, drafted);
	}
	values.options = toRecord(values.settings.options);
	keepUnreadable(values, unreadable, input);
	if (!drafted.hasUnreadFields) {
		const missing: InputError[] = [];
		convertOrNote(missing, () => operation.check?.(values, context));
		const isLeftOut = missing.length === 0 && isIdentified(values);
		// A value that cannot be read would be reported as missing too.
		const noted = isLeftOut ? [] : unreadable.map(({ mistake }) => mistake);
		mistakes.push(...(noted.length > 0 ? noted : missing));
	}
	throwMistakes(mistakes);
	reportUnreadable(unreadable, context);
	if (operation.output.kind === 'deleted') {
		for (const target of targets) requireOneRecord(target.value, target.label, target.findHint);
	}
	lookups.push(...listedLookups(operation, values, words));
	const parts = operation.split?.(values) ?? [values];
	return parts.map((part) => ({ operation, values: part, targets, context, lookups }));
}

/**
 * Makes the plan of a draft.
 *
 * @param found what its lookups have found, in their order
 */
export function completePlan({ lookups, ...plan }: Draft, found: string[]): Plan {
	if (lookups.length === 0) return plan;
	const { path, query, body, options } = plan.values;
	const copies = { path: { ...path }, query: { ...query }, body: { ...body } };
	const values = { ...plan.values, ...copies, options: { ...options } };
	for (const [position, { lookup, place, field }] of lookups.entries()) {
		// The user's own JSON, which is read last, may have replaced the value.
		const isThere = place === 'path' || get(values[place], field) === lookup.value;
		if (isThere) set(values[place], field, found[position]);
	}
	const targets = plan.targets.map((target) => ({ ...target, value: values.path[target.name] }));
	const inPath = lookups.find(({ place }) => place === 'path')?.lookup;
	const lookup = inPath && !isOfValue(inPath) ? inPath : undefined;
	return { ...plan, values, targets, context: { ...plan.context, lookup } };
}

/**
 * The lookups for the status and the priority of a lead that are not documented, wherever they were given.
 *
 * @param words the words of columns for documented values: leads of the account may have the word itself
 */
function listedLookups(
	operation: Operation,
	{ body, options }: Values,
	words: Map<unknown, string>,
): PendingLookup[] {
	const { output } = operation;
	const isOfLead = output.kind === 'one' && output.record.singular === lead.singular;
	if (!isOfLead || onlyReads(operation)) return [];
	const fields = [
		{ by: 'status', place: 'body', field: 'status' },
		{ by: 'priority', place: 'body', field: 'priority' },
		{ by: 'status', place: 'options', field: 'takenBackStatus' },
	] as const;
	return fields.flatMap(({ by, place, field }) => {
		const value = (place === 'body' ? body : options)[field];
		const word = words.get(value);
		const isKnown = word === undefined && documentedValues[by].includes(String(value));
		return isBlank(value) || isKnown
			? []
			: [{ lookup: { by, value: String(value), word }, place, field }];
	});
}

function reportUnreadable(
	unreadable: NonNullable<ConvertContext['unreadable']>,
	{ onLeftOut }: RunContext,
): void {
	for (const { label, value, mistake } of unreadable) {
		onLeftOut?.(label, `${show(value)} cannot be read. ${remedyFor('row', mistake.remedy)}`);
	}
}

/**
 * What cannot be read of a form goes into the note. A visitor whose only address it is becomes a lead whose external ID identifies
 * the submission, so that nothing is lost.
 */
function keepUnreadable(
	values: Values,
	unreadable: NonNullable<ConvertContext['unreadable']>,
	input: IDataObject,
): void {
	const { body, extracted } = values;
	if (!extracted.isForm || unreadable.length === 0) return;
	const asWritten = unreadable.map(({ label, value }) => `${label}: ${String(value)}`);
	extracted.answers = compact([extracted.answers, ...asWritten]).join('\n');
	if (isIdentified(values) || !isOfForm(input)) return;
	const submission = createHash('sha256').update(JSON.stringify(input)).digest('hex');
	body.externalId = `form-${submission.slice(0, 16)}`;
}

/** Whether a value identifies the lead. */
function isIdentified({ path, body }: Values): boolean {
	const { externalId, protocol, leadId, contact } = body;
	const { email, phone } = isRecord(contact) ? contact : {};
	return some([path.leadId, externalId, protocol, leadId, email, phone]);
}

/** What the values of an item's parameters have become so far. */
interface Drafted extends Pick<Draft, 'values' | 'targets' | 'lookups'> {
	/** Whether JSON or columns could not be read: they may hold what seems to be missing. */
	hasUnreadFields?: boolean;
}

/** Converts the value of a parameter, and puts it into the request or among the settings. */
function assignParameter(
	parameter: Parameter,
	raw: unknown,
	context: RunContext,
	drafted: Drafted,
	settings = drafted.values.settings,
): void {
	const { displayName: label, in: where } = parameter;
	if (parameter.type === 'collection' && !where) {
		const settingsOfCollection: IDataObject = {};
		settings[parameter.name] = settingsOfCollection;
		// Here too, the user's own JSON wins.
		for (const [field, value] of sortBy(
			fieldsIn(parameter, raw),
			([{ spread }]) => spread ?? false,
		)) {
			assignParameter(field, value, context, drafted, settingsOfCollection);
		}
		return;
	}
	const lookup = lookupOf(parameter, raw, context);
	const value = lookup ? lookup.value : convertParameter(parameter, raw, context);
	// Messages name only the fields and options that the panel shows.
	if (parameter.type === 'resourceMapper' && isRecord(raw))
		settings.mappingMode = String(raw.mappingMode);
	if (parameter.spread && value === MISTAKEN) drafted.hasUnreadFields = true;
	if (where === 'path') putInPath(parameter, raw, context, drafted, String(value ?? ''));
	else if (value !== undefined) {
		const target: IDataObject = where ? drafted.values[where] : settings;
		putField(parameter, value, target);
	} else if (parameter.required && isAsked(parameter, settings)) {
		const known = parameter.options?.flatMap((option) => ('value' in option ? option.value : []));
		const examples = known ? `, such as ${known.join(', ')}` : '';
		const all = `Give a value for "${label}"${examples}.`;
		context.mistakes?.push(emptyError(label, { all }));
	}
	if (lookup && (where === 'path' || where === 'query' || where === 'body')) {
		drafted.lookups.push({ lookup, place: where, field: sentName(parameter) });
	}
}

/** Whether a required field must be filled: it is part of the request, or shown with the current settings. */
function isAsked({ in: where, displayOptions }: Parameter, settings: IDataObject): boolean {
	if (!displayOptions) return where !== undefined;
	return every(displayOptions.show, (wanted, name) =>
		[wanted].flat().some((option) => option === settings[name]),
	);
}

function putInPath(
	{ name, displayName: label, printable: isPrintable, findHint }: Parameter,
	raw: unknown,
	{ mistakes }: RunContext,
	{ values, targets }: Drafted,
	text: string,
): void {
	const printable = isPrintable ?? isLookupMode(locatorOf(raw).mode);
	const value = text.trim();
	targets.push({ name, label, value, printable, findHint });
	values.path[name] = value;
	convertOrNote(mistakes, () => encodeSegment(value, label, printable));
}

const sentName = ({ field, name }: Parameter) => field ?? name;

function putField(parameter: Parameter, value: unknown, target: IDataObject): void {
	if (parameter.spread) Object.assign(target, value);
	else set(target, sentName(parameter), value);
}

/** An email, or a phone in international format. */
const ADDRESS = /^\s*(?:\+\d[\d\s().-]{7,20}|[^\s@]+@[^\s@]+)\s*$/;

/** The lookup for a resource locator that names its record by something other than the ID. */
function lookupOf(parameter: Parameter, raw: unknown, context: RunContext): Lookup | undefined {
	const { lookup, displayName: label } = parameter;
	const { mode: chosen, value } = locatorOf(raw);
	// An agent has one field for all of them.
	const isAddress = context.tool && chosen === 'id' && ADDRESS.test(String(value));
	const mode = isAddress && lookup?.modes.includes('emailOrPhone') ? 'emailOrPhone' : chosen;
	noteEmailAsId(parameter, mode, value, context);
	if (!lookup || !isLookupMode(mode) || !lookup.modes.includes(mode) || isBlank(value)) return;
	const by = convertOrNote(context.mistakes, () => parseLookup(mode, value, { ...context, label }));
	return {
		record: lookup.record,
		label,
		...(by === MISTAKEN ? { by: 'email', value: String(MISTAKEN) } : by),
	};
}

/** An external ID may be an email, and *By ID* takes one where the panel has no *By External ID*. */
function noteEmailAsId(
	{ lookup, displayName: label, findHint }: Parameter,
	mode: unknown,
	value: unknown,
	{ mistakes }: RunContext,
): void {
	const takesAny = lookup?.record.singular === 'lead' && !lookup.modes.includes('externalId');
	if (!lookup || takesAny || mode !== 'id' || !isEmail(value)) return;
	mistakes?.push(new InputError(`"${label}" is an email, not an ID: ${show(value)}`, findHint));
}

/** A resource locator is an object with a mode and a value. */
function locatorOf(raw: unknown): { mode?: unknown; value: unknown } {
	return isResourceLocatorValue(raw) ? raw : { value: raw };
}

function isLookupMode(mode: unknown): mode is LookupMode {
	return mode === 'externalId' || mode === 'emailOrPhone';
}
