/** What the headings of a spreadsheet, a form or a webhook mean. Pure. */
import { deburr, difference, dropRightWhile, uniq } from 'lodash';

/**
 * The headings of each field of a lead in English, Portuguese and Spanish, its label first; also with {@link FILLERS}.
 * Left out are words that spreadsheets also use for something else: "ID", "Date", "Estado" (a state of the country),
 * "Contato" (a name or a phone), and phones that several people share ("Work phone", "Telefone fixo").
 */
export const HEADINGS: Record<string, string> = {
	externalId:
		'External ID, External reference, ID externo, Identificador externo, Código externo, Referência externa',
	protocol: 'Protocol, Protocol code, Protocolo, Código do protocolo, Código del protocolo',
	name: 'Name, Full name, Contact name, Nome, Nome completo, Nome e sobrenome, Nombre, Nombre completo, Nombre y apellido, Nombre y apellidos',
	email:
		'Email, Email address, Contact email, Mail, Emails, Email value, Endereço de e-mail, Correio eletrônico, Correo, Correo electrónico, Dirección de correo, Dirección de correo electrónico',
	phone:
		'Phone, Phone number, Contact phone, Telephone, Mobile, Cell, Cellphone, WhatsApp, Whats, Wpp, Zap, Phones, Phone numbers, Phone value, Fone, Tel, Cel, Telefone, Celular, Telemóvel, Contacto telefónico, Teléfono, Móvil',
	estimatedValue:
		'Estimated Value, Value, Deal value, Sale value, Amount, Sale amount, Valor, Valor estimado, Valor da venda, Vlr venda, Valor do negócio, Valor de la venta, Valor de venta, Valor (R$), Valor em R$, Valor estimado (R$), Monto, Monto de la venta, Importe, Importe de la venta',
	saleDate: 'Sale Date, Date of sale, Sold on, Data da venda, Dt venda, Fecha de venta',
	notes:
		'Notes, Note, Comments, Notas, Nota, Anotações, Observações, Observação, Obs, Comentários, Observaciones',
	tags: 'Tags, Tag, Tags by Name, Labels, Etiquetas, Etiqueta, Marcadores',
	status:
		'Status, Lead status, Status do lead, Situação, Situação do lead, Situación, Situación del lead, Estado do lead, Estado del lead',
	source: 'Source, Lead source, Origem, Origem do lead, Origen, Origen del lead, Fonte, Fuente',
	priority:
		'Priority, Lead priority, Prioridade, Prioridade do lead, Prioridad, Prioridad del lead',
	contactId: 'Contact ID, ID do contato, ID del contacto',
	createContactIfNotFound: 'Create contact if not found, If No Contact Exists',
};

/** Headings that mean these only in a list of sales; a sale has the fields of {@link HEADINGS} as well. */
export const SALE_HEADINGS: Record<string, string> = {
	leadId: 'Lead ID, ID do lead, ID del lead',
	saleDate:
		'Date, Order date, Purchase date, Data, Data do pedido, Data da compra, Fecha, Fecha del pedido, Fecha de compra',
	estimatedValue: 'Total, Total value, Order total, Valor total, Total do pedido, Total del pedido',
};

/** Parts of a name and of a phone that have columns of their own. */
const PARTS: Record<string, string> = {
	firstName: 'First name, Given name, Name (First), Primeiro nome, Primer nombre',
	lastName:
		'Last name, Surname, Family name, Name (Last), Sobrenome, Último nome, Apelido, Apellido, Apellidos',
	areaCode: 'Area code, Phone area code, Phone prefix, DDD, Código de área',
	countryCode: 'Phone country code, Country code, Calling code, DDI',
};

/** What is one person's, and may be under a head: `data.buyer.email`. */
const OF_PERSON = ['name', 'email', 'phone', ...Object.keys(PARTS)];

/**
 * Headings that other tools use for something else: the status of an order, the priority of a ticket, the grade of a
 * student, an amount in cents.
 */
const AMBIGUOUS = new Set(
	'status situacao situacion source origem origen fonte fuente priority prioridade prioridad nota notas amount'.split(
		' ',
	),
);

/** Words that leave what a heading means: "Dt. da venda (obrigatório)", "Qual o seu melhor e-mail?". */
const FILLERS =
	'a al as com con da das de del do dos e el es is la las los my o of os para per por s the with what y your ' +
	'su sua tu tua seu teu meu minha mi best checkout formated formatted melhor mejor main personal primary principal qual cual num numero number n nº no ' +
	'ddd required optional obrigatorio obligatorio opcional informe digite ingrese enter';
/** A name, an email or a phone of these is that of the person in the row; a status or a value may be another one. */
const PERSON = 'lead contato contacto contact person pessoa persona';
/** The same, but a row may have two of them: a buyer and a student. */
const ROLES =
	'cliente client customer cus aluno aluna alumno student paciente patient comprador buyer consumidor payer pagador ' +
	'interessado interesado participante participant inscrito assinante subscriber hospede huesped guest candidato ' +
	'billing shipping invitee attendee respondent requester';
const PEOPLE = `${PERSON} ${ROLES}`;

/** Heads of payloads that stand for no person and nothing else: `payload.email`, `properties.email`. */
const CONTAINERS = new Set(
	(
		'data object payload body query params json fields fielddata formdata formresponse answers responses response ' +
		'questionsandanswers questions properties attributes customfields usercolumndata submission entry current ' +
		'bookinginfo profile emails email phones phone phonenumbers mobilephone homephone ' +
		'charge events variables userdata customdata'
	).split(' '),
);
/** Of `billing_address` and `customer_details`. */
const HEAD_FILLERS = 'default address details info data';
/** Keys of the value itself: `email.value`, `mobile_phone.number`. */
const VALUE_KEYS = new Set('value values rawvalue stringvalue answer number rawnumber'.split(' '));

const FIELDS = fieldsBy({ ...HEADINGS, ...PARTS });
const SALE_FIELDS = fieldsBy(SALE_HEADINGS);

function fieldsBy(headingsOf: Record<string, string>): Map<string, string> {
	const entries = Object.entries(headingsOf).flatMap(([field, headings]) =>
		headings
			.split(', ')
			.flatMap((heading) => [normalizeHeading(heading), wordsOf(heading, FILLERS).join('')])
			.filter((key) => key !== '')
			.map((key) => [key, field] as const),
	);
	return new Map(entries);
}

/** Case, accents, spaces and punctuation do not matter. */
export function normalizeHeading(heading: string): string {
	return wordsOf(heading, '').join('');
}

/**
 * The words of a heading without those to be ignored. The sign of a currency is one, and so is %: `Valor €` is no value in
 * reais. The dollar is also how Brazil's currency is shortened.
 */
function wordsOf(heading: string, ignored: string): string[] {
	const plain = deburr(heading)
		// The number of the field in the form, as Jotform sends it: `q3_email`.
		.replace(/^q\d+_/i, '')
		.replace(/e-mail/gi, 'email')
		.replace(/whats\s?app/gi, 'whatsapp')
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase();
	return difference(plain.match(/\p{L}+|\p{N}+|[%‰]|(?!\$)\p{Sc}/gu), ignored.split(' '));
}

/** The field that a heading names, or the part of one; undefined where another may be meant. */
export function fieldOf(heading: string): string | undefined {
	const field =
		FIELDS.get(normalizeHeading(heading)) ?? FIELDS.get(wordsOf(heading, FILLERS).join(''));
	if (field !== undefined) return field;
	const words = wordsOf(heading, `${FILLERS} ${PEOPLE}`);
	const named = fieldOfWords(words) ?? fieldOfWords(difference(words, ['1']));
	if (named !== undefined) return named;
	// A person has several phones, but "Nome 2" is another person.
	return fieldOfWords(words.filter((word) => !isIndex(word))) === 'phone' ? 'phone' : undefined;
}

/** The field of a sale that a heading means in a list of sales. */
export function saleFieldOf(heading: string): string | undefined {
	return (
		SALE_FIELDS.get(normalizeHeading(heading)) ??
		SALE_FIELDS.get(wordsOf(heading, FILLERS).join(''))
	);
}

/** Together, or each: "Nome completo do cliente", "Celular/WhatsApp". */
function fieldOfWords(words: string[]): string | undefined {
	const whole = FIELDS.get(words.join(''));
	const named = whole ? [whole] : uniq(words.map((word) => FIELDS.get(word)));
	return named.length === 1 ? OF_PERSON.find((each) => each === named[0]) : undefined;
}

/** What a column is. */
export interface Meaning {
	/** A field of a lead, or a part of one. */
	field: string;
	/** Whose name, email or phone it is; empty for the person of the row. */
	person: string;
	/** The object that holds it: `data.buyer` of `data.buyer.emails.0.value`; empty for a column. */
	group: string;
	/** No word says whose it is, as in `payload.name`, which may be the name of a form. */
	isAnyones: boolean;
	/** See {@link AMBIGUOUS}. */
	isAmbiguous: boolean;
}

/**
 * @param path the heading, or the keys that lead to a value inside an object: `data`, `buyer`, `email`. The last part names
 * the field, and the others must be known: the email under `producer` is somebody else's.
 */
export function meaningOf(path: string[]): Meaning | undefined {
	// The rows of a sheet share their headings; lists of payloads have ever new ones.
	const key = path.join('\n');
	if (MEANINGS.size > MOST_KEPT) MEANINGS.clear();
	if (!MEANINGS.has(key)) MEANINGS.set(key, parseHeading(path));
	return MEANINGS.get(key);
}

const MEANINGS = new Map<string, Meaning | undefined>();
const MOST_KEPT = 10_000;

function parseHeading(path: string[]): Meaning | undefined {
	const [first, ...inner] = path;
	const parts = [first, ...dropRightWhile(inner, isValueKey)];
	for (const [depth] of parts.entries()) {
		const heads = parts.slice(0, depth);
		if (!heads.every(isHead)) return undefined;
		const tail = parts.slice(depth).filter((part) => !isIndex(part));
		const field = fieldOf(tail.join(' '));
		if (field === undefined || (depth > 0 && !isOfPerson(field))) continue;
		const people = parts.flatMap(peopleIn);
		const roles = uniq(difference(people, PERSON.split(' ')));
		// The second of several attendees; but `answers.1.email` is the same person's as `answers.0.name`.
		const indexes = parts.filter(
			(part, at) => isIndex(part) && peopleIn(parts[at - 1] ?? '').length > 0,
		);
		return {
			field,
			person: [...roles, ...indexes].join(' '),
			group: heads.join('.'),
			isAnyones: heads.length > 0 && people.length === 0,
			isAmbiguous: AMBIGUOUS.has(normalizeHeading(path.join(' '))),
		};
	}
	return undefined;
}

function isHead(part: string): boolean {
	if (isIndex(part) || CONTAINERS.has(normalizeHeading(part))) return true;
	const words = wordsOf(part, HEAD_FILLERS);
	return peopleIn(part).length === words.length;
}

/** The words for people in a part of a heading, in the singular. */
function peopleIn(part: string): string[] {
	const people = PEOPLE.split(' ');
	return wordsOf(part, '').flatMap((word) => {
		const found = people.find((each) => each === word || `${each}s` === word);
		return found ?? [];
	});
}

export const isOfPerson = (field: string) => OF_PERSON.includes(field);

export const isIndex = (part: string) => /^\d+$/.test(part);

/** Whether a key holds the value of what its parent names. */
export const isValueKey = (part: string) => isIndex(part) || VALUE_KEYS.has(normalizeHeading(part));

export function labelOf(field: string): string {
	return (HEADINGS[field] ?? SALE_HEADINGS[field]).split(', ')[0];
}
