/** Finds the fields that the headings of a spreadsheet, a form or a webhook mean. Pure. */
import { deburr, difference, dropRightWhile, findLast, findLastIndex, uniq } from 'lodash';

/**
 * The headings of each field of a lead in English, Portuguese and Spanish, its label first; also with {@link FILLERS}.
 * Left out are words that spreadsheets also use for something else: "ID", "Date", "Status" and "Source" (of an order), "Amount"
 * (in cents), "Estado" (a state of the country), "Contato" (a name or a phone), and phones that several people share
 * ("Work phone", "Telefone fixo").
 */
export const HEADINGS: Record<string, string> = {
	externalId:
		'External ID, External reference, ID externo, Identificador externo, Código externo, Referência externa',
	protocol: 'Protocol, Protocol code, Protocolo, Código del protocolo',
	name: 'Name, Full name, Contact name, Nome, Nome completo, Nome e sobrenome, Nombre, Nombre completo, Nombre y apellido, Nombre y apellidos',
	email:
		'Email, Email address, Contact email, Mail, Emails, Email value, Endereço de e-mail, Correio eletrônico, Correo, Correo electrónico, Dirección de correo, Dirección de correo electrónico',
	phone:
		'Phone, Contact phone, Telephone, Mobile, Cell, Cellphone, WhatsApp, Whats, Wpp, Zap, Phones, Phone numbers, Phone value, Fone, Tel, Cel, Telefone, Celular, Telemóvel, Contacto telefónico, Teléfono, Móvil',
	estimatedValue:
		'Estimated Value, Value, Valor, Valor estimado, Valor fechado, Monto, Importe, Ticket',
	saleDate: 'Sale Date, Date of sale, Sold on, Data da venda, Dt venda, Fecha de venta',
	notes:
		'Notes, Note, Comments, Notas, Anotações, Observações, Observação, Obs, Comentários, Observaciones',
	tags: 'Tags, Tag, Tags by Name, Labels, Etiquetas, Etiqueta, Marcadores',
	status: 'Lead status, Status do lead, Situação do lead, Situación del lead, Estado del lead',
	source: 'Lead source, Origem do lead, Origen del lead',
	priority: 'Lead priority, Prioridade do lead, Prioridad del lead',
	contactId: 'Contact ID, ID do contato, ID del contacto',
	createContactIfNotFound: 'Create contact if not found, If No Contact Exists',
};

/** A word of each, in either order, is an estimated value: "Valor do contrato", "Deal amount". */
const MONEY = 'value amount valor vlr monto importe ticket'.split(' ');
const DEALS = (
	'sale deal opportunity proposal quote contract service project plan venda venta negocio oportunidade proposta propuesta orcamento presupuesto ' +
	'contrato servico projeto plano'
).split(' ');
const DEAL_VALUES = MONEY.flatMap((value) =>
	DEALS.flatMap((deal) => [`${value} ${deal}`, `${deal} ${value}`]),
);

/** Headings that mean these only in a list of sales; a sale has the fields of {@link HEADINGS} as well. */
const SALE_HEADINGS: Record<string, string> = {
	leadId: 'Lead ID, ID do lead, ID del lead',
	saleDate:
		'Date, Order date, Purchase date, Data, Data do pedido, Data da compra, Fecha, Fecha del pedido, Fecha de compra',
	estimatedValue: 'Total, Total value, Order total, Valor total, Total do pedido, Total del pedido',
};

/** Parts of a name and of a phone that have columns of their own. */
const PARTS: Record<string, string> = {
	firstName: 'First name, Given name, Name (First), Primeiro nome, Primer nombre',
	lastName:
		'Last name, Surname, Family name, Name (Last), Sobrenome, Segundo sobrenome, Sobrenome 2, Último nome, Apellido, Apellidos, Primer apellido, Segundo apellido, Apellido 2, Apellido paterno, Apellido materno',
	areaCode: 'Area code, Phone area code, Phone prefix, DDD, Código de área',
	countryCode: 'Phone country code, Country code, Calling code, DDI',
};

/** The fields that belong to a person. */
const OF_PERSON = ['name', 'email', 'phone', ...Object.keys(PARTS)];
export const isOfPerson = (field: string) => OF_PERSON.includes(field);

/** Parts of fields by the last word of a heading: Jotform sends `nome: {first, last}`, `telefone: {area, phone}`. */
const PARTS_OF: Record<string, Record<string, string>> = {
	name: { first: 'firstName', last: 'lastName', full: 'name' },
	phone: { area: 'areaCode', country: 'countryCode', full: 'phone' },
};

/** Words that leave what a heading means: "Dt. da venda (obrigatório)", "Qual o seu melhor e-mail?". */
const FILLERS = (
	'a al as com con da das de del do dos e el es is la las los my o of os para per por s the with what y your ' +
	'su sua tu tua seu teu meu minha mi best checkout formated formatted melhor mejor main personal primary principal qual cual num numero number n nº no ' +
	'ddd required optional obrigatorio obligatorio opcional informe digite ingrese enter'
).split(' ');
/** Roles of the buyer: columns with any of these are about the same person. */
const BUYER = 'cliente client customer cus comprador buyer consumidor billing'.split(' ');
/** Two of these are two people: a buyer and a student. */
const ROLES = [
	...BUYER,
	...(
		'aluno aluna alumno student paciente patient payer pagador interessado interesado participante participant inscrito assinante ' +
		'subscriber hospede huesped guest candidato shipping invitee attendee respondent requester'
	).split(' '),
];
/** A name, an email or a phone of these is that of the person in the row. */
const PEOPLE = [...ROLES, ...'lead contato contacto contact person pessoa persona'.split(' ')];
/** Keys of payloads that stand for no person and nothing else: `payload.email`, `billing_address.phone`, `email.value`. */
const CONTAINERS = (
	'data object payload body query params json fields field form answers responses response questions and properties attributes ' +
	'custom user column submission entry current booking info profile emails email phones phone numbers mobile home charge ' +
	'events variables default address details'
).split(' ');
const VALUE_KEYS = 'value values rawvalue stringvalue answer number rawnumber'.split(' ');

/** A longer text is not a heading, and counts as one unknown word. */
export const MAX_HEADING_LENGTH = 1000;

function fieldsBy(headingsOf: Record<string, string>): Map<string, string> {
	const entries = Object.entries(headingsOf).flatMap(([field, headings]) =>
		headings.split(', ').flatMap((heading) => {
			const words = wordsOf(heading);
			return [words, difference(words, FILLERS)].map((each) => [each.join(''), field] as const);
		}),
	);
	return new Map(entries.filter(([key]) => key !== ''));
}

/**
 * Case, accents, spaces and punctuation do not matter. The sign of a currency is a word, and so is %: `Valor €` is no value in
 * reais. The dollar is also how Brazil's currency is shortened.
 */
export function wordsOf(heading: string): string[] {
	if (heading.length > MAX_HEADING_LENGTH) return [heading];
	const plain = deburr(heading)
		// The number of the field in the form, as Jotform sends it: `q3_email`.
		.replace(/^q\d+_/i, '')
		// How Elementor names a field without a label.
		.replace(/^no label /i, '')
		// A property of a Notion database; "Property name" is that of a building.
		.replace(/^property_(?!(?:name|value|id)$)/i, '')
		.replace(/e-mail/gi, 'email')
		// In reais, as all amounts of the service are.
		.replace(/(\bem\s+)?\bR\$/gi, ' ')
		.replace(/whats\s?app/gi, 'whatsapp')
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase();
	return plain.match(/\p{L}+|\p{N}+|[%‰]|(?!\$)\p{Sc}/gu) ?? [];
}

export const normalizeHeading = (heading: string): string => wordsOf(heading).join('');

const FIELDS = fieldsBy({
	...HEADINGS,
	...PARTS,
	estimatedValue: [HEADINGS.estimatedValue, ...DEAL_VALUES].join(', '),
});
const SALE_FIELDS = fieldsBy(SALE_HEADINGS);

function findField(fields: Map<string, string>, words: string[]): string | undefined {
	return fields.get(words.join('')) ?? fields.get(difference(words, FILLERS).join(''));
}

const MAX_REMEMBERED = 5000;
const MAX_REMEMBERED_LENGTH = 200;

/** The meaning of a heading. */
export interface Meaning {
	/** A field of a lead, or a part of one. */
	field: string;
	/** Whose name, email or phone it is; empty for the person of the row. */
	person: string;
	/** The object that holds it: `data.buyer` of `data.buyer.emails.0.value`; empty for a column. */
	group: string;
	/** The entry of a list that it is in: `contacts.1` of `contacts.1.email`, `contact 1` of `Contact 1 email`; empty for none. */
	entry: string;
	/** Which of several of its kind it is: 2 for `Telefone 2`, `Telefone_2` and `Telefone.2`. */
	number?: number;
}

/**
 * Finds the meaning of a heading, or of the keys that lead to a value inside an object: `data`, `buyer`, `email`. The last keys
 * name the field, and all others must be known: the email under `producer` is somebody else's.
 */
export const meaningOf = rememberByPath(readMeaning);

/** Remembers what headings mean: rows share their headings, and words take long to compare. */
export function rememberByPath<T>(read: (path: string[]) => T): (path: string[]) => T {
	const remembered = new Map<string, T>();
	return (path) => {
		const key = path.join('\n');
		const known = remembered.get(key);
		if (known !== undefined || remembered.has(key)) return known as T;
		const result = read(path);
		// Bounded, since objects that label their values use data as headings.
		if (remembered.size >= MAX_REMEMBERED) remembered.clear();
		if (key.length <= MAX_REMEMBERED_LENGTH) remembered.set(key, result);
		return result;
	};
}

function readMeaning(path: string[]): Meaning | undefined {
	const [first, ...inner] = path;
	const parts = [first, ...dropRightWhile(inner, isValueKey)];
	for (const [depth] of parts.entries()) {
		const heads = parts.slice(0, depth);
		if (!heads.every(isHead)) return undefined;
		const tail = parts.slice(depth).filter((part) => !isIndex(part));
		const field = fieldOf(tail.join(' '));
		if (field === undefined || (depth > 0 && !isOfPerson(field))) continue;
		const named = parts.flatMap(rolesIn).map((role) => (BUYER.includes(role) ? 'buyer' : role));
		const own = parts[parts.length - 1];
		const entry = entryOf(parts.slice(0, -1), own);
		const behind = path.slice(parts.length);
		const number = entry === '' ? numberOf(own, behind) : undefined;
		// "Email 2" is a second one.
		if (field === 'email' && behind.length === 0 && (number ?? 0) > 1) return undefined;
		return { field, person: uniq(named).join(' '), group: heads.join('.'), entry, number };
	}
	return undefined;
}

const rolesIn = (part: string) =>
	wordsOf(part).flatMap((word) => ROLES.find((each) => isWord(each, word)) ?? []);

/**
 * The path up to the last index or number of a list: its entries are people, unless the list is that of a field, such as
 * `emails`.
 */
function entryOf(heads: string[], heading: string): string {
	const last = findLastIndex(heads, (head, at) => {
		const isNumbered = wordsOf(head).some(isIndex);
		return isNumbered && !(isIndex(head) && at > 0 && fieldOf(heads[at - 1]) !== undefined);
	});
	if (last >= 0) return heads.slice(0, last + 1).join('.');
	const words = wordsOf(heading);
	const at = words.findIndex((word, position) => {
		return isIndex(word) && PEOPLE.some((each) => isWord(each, words[position - 1] ?? ''));
	});
	return at < 0 ? '' : words.slice(at - 1, at + 1).join(' ');
}

/** @param behind the keys behind the heading, such as the `1` of `Nome.1` */
function numberOf(heading: string, behind: string[]): number | undefined {
	const words = wordsOf(heading);
	// "Sobrenome 2" is a field of its own.
	if (findField(FIELDS, words) !== undefined && behind.length === 0) return undefined;
	const number = findLast([...words, ...behind], isIndex);
	return number === undefined ? undefined : Number(number);
}

const isIndex = (part: string) => /^\d+$/.test(part);
const isWord = (known: string, word: string) => word === known || word === `${known}s`;
/** Whether a key holds the value of what its parent names. */
export const isValueKey = (part: string) =>
	isIndex(part) || VALUE_KEYS.includes(normalizeHeading(part));
const isHead = (part: string) =>
	wordsOf(part).every(
		(word) => isIndex(word) || [...PEOPLE, ...CONTAINERS].some((each) => isWord(each, word)),
	);

const isPart = (word: string) =>
	Object.values(PARTS_OF).some((parts) => Object.hasOwn(parts, word));

/** The field that a heading names, or the part of one; undefined where another may be meant. */
function fieldOf(heading: string): string | undefined {
	const words = wordsOf(heading);
	const whole = findField(FIELDS, words);
	if (whole !== undefined) return whole;
	const last = words.at(-1) ?? '';
	const parent = isPart(last) ? fieldOf(words.slice(0, -1).join(' ')) : undefined;
	const part = PARTS_OF[parent ?? '']?.[last];
	if (part !== undefined) return part;
	const left = words.filter(
		(word) => !FILLERS.includes(word) && !PEOPLE.some((each) => isWord(each, word)),
	);
	// Together, or each: "Nome completo do cliente", "Celular/WhatsApp".
	const named = left.filter((word) => !isIndex(word));
	const fields = uniq(named.map((word) => FIELDS.get(word)));
	const field = FIELDS.get(named.join('')) ?? (fields.length === 1 ? fields[0] : undefined);
	return field !== undefined && isOfPerson(field) ? field : undefined;
}

/** The field of a sale that a heading means in a list of sales. */
export const saleFieldOf = (heading: string): string | undefined =>
	findField(SALE_FIELDS, wordsOf(heading));

/** Whether a heading is a person and no more: "Cliente", "Contato". */
export const isRole = (heading: string): boolean => {
	const words = difference(wordsOf(heading), FILLERS);
	return words.length === 1 && PEOPLE.includes(words[0]) && !ROLES_WITHOUT_NAME.includes(words[0]);
};
const ROLES_WITHOUT_NAME = ['billing', 'shipping', 'cus'];

/** "Situação do lead" of "Situação"; undefined for a heading that names no such field. */
export function headingOfLead(heading: string): string | undefined {
	const bare = (text: string) => difference(wordsOf(text), [...FILLERS, 'lead']).join('');
	const all = [HEADINGS.status, HEADINGS.source, HEADINGS.priority].flatMap((each) =>
		each.split(', '),
	);
	return all.find((each) => bare(each) === bare(heading));
}

/** The heading under which a row has a field of a sale, its label where it has none. */
export const headingIn = (row: object, field: string): string =>
	Object.keys(row).find((key) => (meaningOf([key])?.field ?? saleFieldOf(key)) === field) ??
	labelOf(field);

export function labelOf(field: string): string {
	return (HEADINGS[field] ?? SALE_HEADINGS[field]).split(', ')[0];
}
