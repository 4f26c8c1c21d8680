/**
 * Lists the words by which items are read, in English, Portuguese and Spanish; data only. To add a word, find the table whose comment
 * says what it would mean, and add it in lower case, without accents, in the masculine singular. Headings of
 * {@link HEADINGS} and {@link PARTS} are written as people write them, with commas between.
 */
export const words = (text: string) => new Set(text.trim().split(/\s+/));

// ---- Fields

/**
 * The headings of each field of a lead, its label first; also with {@link FILLERS}. Left out are words that spreadsheets also use
 * for something else: "ID", "Date", "Status" and "Source" (of an order), "Amount" (in cents), "Estado" (a state of the country),
 * "Contato" (a name or a phone), and phones that several people share ("Work phone", "Telefone fixo").
 */
export const HEADINGS: Record<string, string> = {
	externalId:
		'External ID, External reference, ID externo, Identificador externo, Código externo, Referência externa',
	protocol: 'Protocol, Protocol code, Protocolo, Código del protocolo',
	name: 'Name, Names, Full name, Real name, Display name, Profile name, Contact name, Nome, Nome completo, Nome e sobrenome, Nombre, Nombre completo, Nombre y apellido, Nombre y apellidos, Nombres, Nombres y apellidos, Nome e razão social, Razão social e nome, Nombre y razón social, Razón social y nombre, Contact person, Pessoa de contato, Persona de contacto, Chama, Chamar, Llamas, Called',
	email:
		'Email, Email address, Email addresses, Contact email, Email from, Mail, Emails, Email value, Endereço de e-mail, Correio eletrônico, Correo, Correo electrónico, Dirección de correo, Dirección de correo electrónico',
	phone:
		'Phone, Contact phone, Telephone, Mobile, Mobile number, Cell, Cellphone, WhatsApp, Whats, Wpp, Zap, Phones, Phone numbers, Phone value, Fone, Tel, Telf, Tfno, Tlf, Cel, Telefone, Celular, Telemóvel, Contacto telefónico, Teléfono, Móvil, MSISDN, SMS reminder number, Text reminder number',
	estimatedValue:
		'Estimated Value, Value, Valor, Valor estimado, Valor fechado, Valor único, Valor RS, Monto, Importe, Ticket médio, Average ticket, Valor do ticket, Valor del ticket',
	saleDate:
		'Sale Date, Date of sale, Sold on, Won on, Won time, Ganho em, Data de ganho, Ganado el, Fecha de ganado, Data da venda, Dt venda, Fecha de venta',
	notes:
		'Notes, Note, Comments, Notas, Anotações, Observações, Observação, Obs, Comentários, Observaciones',
	tags: 'Tags, Tag, Tags by Name, Labels, Etiquetas, Etiqueta, Marcadores',
	status: 'Lead status, Status do lead, Situação do lead, Situación del lead, Estado del lead',
	source: 'Lead source, Origem do lead, Origen del lead',
	priority: 'Lead priority, Prioridade do lead, Prioridad del lead',
	contactId: 'Contact ID, ID do contato, ID del contacto',
	createContactIfNotFound: 'Create contact if not found, If No Contact Exists',
};
/** Headings that mean these only in a list of sales; a sale has the fields of {@link HEADINGS} as well. */
export const SALE_HEADINGS: Record<string, string> = {
	leadId: 'Lead ID, ID do lead, ID del lead',
	estimatedValue:
		'Total, Total value, Total price, Order total, Valor total, Preço total, Precio total, Total do pedido, Total del pedido, Valor de compra com impostos, Total da venda, Total de la venta, Importe total, Monto total, Faturamento, Revenue, Receita',
};
/** Parts of a name and of a phone that have columns of their own. */
export const PARTS: Record<string, string> = {
	firstName:
		'First name, First names, Given name, Given names, Forename, Name (First), Primeiro nome, Primer nombre, Fname',
	lastName:
		'Last name, Last names, Surname, Surnames, Family name, Name (Last), Sobrenome, Segundo sobrenome, Sobrenome 2, Último nome, Apellido, Apellidos, Primer apellido, Segundo apellido, Apellido 2, Apellido paterno, Apellido materno, Lname',
	areaCode:
		'Area code, Phone area code, Phone prefix, Phone code, DDD, Código de área, Código do telefone, Código del teléfono',
	countryCode: 'Phone country code, Country code, Calling code, DDI',
};
/** Parts of fields by the last word of a heading: `nome: {first, last}`, `telefone: {area, phone}`, `Nome (Primeiro)`. */
export const PARTS_OF: Record<string, Record<string, string>> = {
	name: {
		first: 'firstName',
		given: 'firstName',
		family: 'lastName',
		primeiro: 'firstName',
		primer: 'firstName',
		last: 'lastName',
		ultimo: 'lastName',
		sobrenome: 'lastName',
		apellido: 'lastName',
		apellidos: 'lastName',
		full: 'name',
	},
	email: { address: 'email' },
	phone: {
		address: 'phone',
		area: 'areaCode',
		ddd: 'areaCode',
		country: 'countryCode',
		ddi: 'countryCode',
		full: 'phone',
	},
};
/** A word of each, in either order, is an estimated value: "Valor do contrato", "Deal amount". */
export const MONEY = words('value amount valor vlr monto importe ticket');
export const TOTALS = words('total saldo balance');
export const DEALS = words(`
	sale deal opportunity proposal quote contract service project venda venta negocio oportunidade proposta propuesta orcamento
	presupuesto trato contrato servico projeto plano`);
/** With a word for a day, when a deal that was won was closed. */
export const CLOSING = words('fechamento closing close closed fechado cierre');
/** Words of a heading for a day. */
export const DATE_WORDS = words('date data fecha day dia');
/** The same, and what stands for one behind a verb: "Pago em", `paid_at`. */
export const WHEN = new Set([...DATE_WORDS, ...words('dt at on em time hora timestamp utc')]);
/**
 * What happened on a day that may be the sale date. Of several dates in a list of sales, the first of these is it: when it was paid,
 * rather than ordered or closed. A day of nothing comes last.
 */
export const SALE_DAYS = [
	words(`
	paid pago pagado payment pagamento pgto pagto received recebido recebimento recibido captured capturado confirmed confirmado
	confirmacao confirmacion approved aprovado aprobado aprovacao aprobacion`),
	words('transaction transacao transaccion'),
	words('purchase compra'),
	words('order pedido orden'),
	CLOSING,
];
/** Abbreviations before the name of a column in a database or a state of WooCommerce, and the word that they stand for: `NM_CLIENTE`. */
export const PREFIXES: Record<string, string> = {
	nm: 'nome',
	cli: 'cliente',
	vl: 'valor',
	vr: 'valor',
	ds: '',
	tx: '',
	nr: '',
	nu: '',
	wc: '',
};
/** Words that no person is called: what forms and events are. */
export const NO_NAME = words(
	'form formulario webhook event evento submission submitted created updated deleted enviado recebido',
);
/** An answer and no name. A family may be called No. */
export const YES_OR_NO = words('yes no sim nao si true');
/** What a column such as `Cliente` or `Contato` has instead of a name: what somebody is like, or how to reach them. */
export const NO_PERSON = words(`
	quente morno frio caliente tibio hot warm cold ativo inativo activo inactivo active inactive novo nova nuevo nueva new antigo
	recorrente vip pf pj fisica juridica sim si yes true nao no false ligacao presencial online site`);
/** Words before the name that a question asks for: "Para começar, qual o seu nome completo?" */
export const YOUR = words('your seu teu su tu');
/** Words of a name, an email and a phone in any heading, where the value has to prove the rest. */
export const NAME_WORDS = words('name nome nombre');
export const EMAIL_WORDS = words('email mail correo correio');
export const PHONE_WORDS = words(`
	phone telephone mobile cell cellphone whatsapp whats wpp zap fone tel telf tfno tlf cel telefone celular telemovel telefonico telefono movil sms msisdn jid`);
/** A heading with these letters is that of a mobile, which is sent before another phone. */
export const MOBILE_HEADING = /cel|mobile|whats|wpp|zap|m[oó]vil|telem/i;
/** Alone, the heading of a phone if its value is plainly one. */
export const NUMBER_WORDS = words('no num numero number');
/** Words before the one whose field it is, if that is not the reader: "E-mail da escola". */
export const OF = words('de do da dos das del of para p for quem');
/** Words of a heading that make its number no phone: `whatsapp_id`, "WhatsApp enviado em". */
export const NO_NUMBERS = words(
	'id at sent enviado enviada time timestamp date data hora last ultimo status count code',
);

// ---- Words of headings that name no field

/** They leave what a heading means: "Dt. da venda (obrigatório)", "Qual o seu melhor e-mail?". */
export const FILLERS = words(`
	a al as com con da das de del do dos e el es is la las los my o of os p para per por pra s se te the with what y your you
	su sua tu tua seu teu meu minha mi voce como checkout formated formatted best melhor mejor main personal personales pessoais pessoal primary principal qual cual um uma un una an
	num numero number n nº no ddd ou or utc gmt required optional obrigatorio obligatorio opcional aqui here
	potential potencial posible possivel associated associado asociado podemos posso devo informe digite ingrese enter insira deixe deje coloque escreva escriba`);

/** What something is for, in Portuguese and Spanish: `para receber a aula`, `para contactarte`. */
export const INFINITIVE = /[aei]r(?:te|me|se|l[oae]s?|nos)?$/;

/** Roles of the buyer: columns with any of these are about the same person. */
export const BUYER = words(
	'cliente client customer cus comprador buyer consumer consumidor billing',
);
/** With the name of one of these and a heading of {@link GUARDIAN}, it is not known whose an address is. */
export const PUPIL = words('aluno aluna alumno student');
/** With a {@link BUYER}, two of these are two people: a buyer and a student. */
export const OTHER_ROLES = new Set([
	...PUPIL,
	...words(`
	paciente patient payer pagador interessado interesado participante participant inscrito assinante
	subscriber hospede huesped guest candidato candidate caller member membro miembro invitee attendee respondent requester registrant applicant solicitante
	proponente tomador contratante requerente locatario tenant inquilino arrendatario homeowner policyholder segurado asegurado adquirente borrower insured
	visitor visitante purchaser prospect prospecto receiver traveler traveller viajante passenger passageiro pasajero`),
]);
/** With the roles, a name, an email or a phone of these is that of the person in the row. */
export const PERSON = words('lead contato contacto contact person pessoa persona');
/** Whoever is logged in: the person of the item only if nothing else is. */
export const USER = words('user usuario');
/** Words for the deal of a lead: "Negócio - Status", "Etapa do funil de vendas". Beside a person, its name is a title. */
export const OF_DEAL = words(`
	deal trato negocio negociacao negociacion opportunity oportunidade oportunidad lead pipeline funil funnel embudo sales vendas ventas`);
/** A name with these is that of a firm where a person has another. */
export const OF_FIRM = words('razao razon');
/** A heading with these makes the item a deal. */
export const PIPELINE = words('pipeline funil funnel embudo');
/** Alone, the amount of a deal if the value is plainly one. */
export const BUDGET = words('sale venda venta budget orcamento presupuesto');
/** With a word for a deal, the source and the priority of a lead. */
export const SOURCE = words('source origem origen fonte fuente');
export const PRIORITY = words('priority prioridade prioridad');
export const ROLES_WITHOUT_NAME = words('billing cus caller member homeowner policyholder');
/** Keys of payloads that stand for no person and nothing else: `payload.email`, `billing_address.phone`, `email.value`. */
export const CONTAINERS = words(`
	data object payload body query params json fields field form answers responses response questions and properties attributes
	custom campo personalizado column submission entry result current event booking dados datos info profile emails email phones phone numbers mobile home charge
	events variables default address details add update merge results raw request values submissions parameter register
	trigger newsletter args arguments`);
/** Keys whose object may be all that an item is about, apart from its event or its ID. */
export const WRAPPERS = words('data object payload body fields properties attributes record lead');
const PARENTS = words('mother father mae pai madre padre mama mom mum dad');
const RELATIVES_OR_HELPERS = words(`
	esposa esposo marido wife husband filho hijo son daughter friend amigo secretaria assistant`);
/** Who may answer for a {@link PUPIL}. */
export const GUARDIAN = new Set([...PARENTS, ...words('parent guardian responsavel responsable')]);
/** Words of a name such as `Mãe da Bia`, which is that of another person. */
export const RELATIVES = new Set([
	...PARENTS,
	...RELATIVES_OR_HELPERS,
	...words(`
	mulher filha hija irmao irma hermano hermana brother sister avo neto neta sobrinho sobrinha sogra sogro noiva noivo novia novio
	namorada namorado girlfriend boyfriend amiga secretary assistente asistente`),
]);
/** Words of headings and keys about other people than the lead, or about the request: nothing there is taken on its form. */
export const OTHER_PEOPLE = new Set([
	...GUARDIAN,
	...RELATIVES_OR_HELPERS,
	...words(`
	seller vendor vendedor vendedora agent agente owner dono propietario assigned assignee asesor consultor
	corretor broker closer sdr manager gerente atendente operador admin administrador staff support suporte soporte helpdesk
	host organizer organizador organization organizacao membership team equipe author autor creator criador created
	updated modified by criado creado atribuido asignado captador affiliate afiliado comissao comissoes commission comision producer produtor coproducer partner parceiro socio supplier fornecedor proveedor merchant
	company companies empresa store loja tienda shop page pagina account product produto producto campaign campanha
	shipping entrega cc bcc reply sender remetente recipient destinatario header cookie notification notificacao
	emergency emergencia kin spouse conjuge referral referrer referred indicado indicacao indicador recommended professor teacher tutor
	doctor medico contador accountant second secondary segundo secundario alternative alternativo old antigo wrong errado`),
]);
/** How a key ends that names somebody by what they do: `provider`, `therapist`, `instrutora`. None of the words for a person. */
export const AGENT = /(?:[dts]or|[^h]er|ist|(?:[dts]or|ist|eir)[ao])s?$/;
/** Words for where somebody lives: an email of these is more their own than one of work. */
export const DWELLING = words('home house casa residencial residential');
/** Words for what a household shares, or the firm of whoever sends the item: a phone of these is not taken. */
export const HOME = new Set([...DWELLING, ...words('business fixo fijo landline recado recados')]);
/** With those for work, an address of these is taken where no other is there. */
export const SHARED = new Set([
	...HOME,
	...words(`
	work job office corporate corporativo comercial commercial empresarial profissional profesional professional trabalho trabajo
	laboral oficina escritorio`),
]);

/** The heading of the country of a person, also with {@link OF_RESIDENCE}. Where somebody was born says nothing of a phone. */
export const COUNTRY = words('country pais');
export const OF_RESIDENCE = words(
	'region regiao residencia residence reside mora moras vive vives live in em en que which onde',
);
/**
 * What else countries are called than in ISO 3166-1 alpha-2 and Unicode CLDR: other names, and the codes of three letters of the
 * countries where Portuguese, Spanish or English is spoken, and of their neighbors.
 */
export const OTHER_COUNTRY_NAMES: Record<string, string> = Object.fromEntries(
	`us: USA, Estados Unidos da América, Estados Unidos de América, United States of America; gb: GBR, England, Inglaterra, Great Britain
	nl: NLD, Holland, Holanda; ao: AGO; ar: ARG; au: AUS; bo: BOL; br: BRA; ca: CAN; ch: CHE; cl: CHL; co: COL; cr: CRI; cu: CUB; cv: CPV
	de: DEU; do: DOM; ec: ECU; es: ESP; fr: FRA; gt: GTM; hn: HND; ie: IRL; in: IND; it: ITA; jp: JPN; mx: MEX; mz: MOZ; ni: NIC
	nz: NZL; pa: PAN; pe: PER; pr: PRI; pt: PRT; py: PRY; sv: SLV; uy: URY; ve: VEN; za: ZAF`
		.split(/[;\n]/)
		.map((line) => line.trim().split(': ')),
);

// ---- The shape of items

/** Keys that hold what their parent names, in order of preference. `text` may also be the question, or the value in words. */
export const VALUE_KEYS = words(
	'answer stringvalue value values rawvalue number rawnumber nationalnumber resposta respuesta valor answerdetails',
);
export const TEXT_KEY = 'text';
/** Keys of an entry that name its value: the words of a question, then names, which a person may have as well, then codes. */
export const QUESTION_KEYS = words('label title question questiontitle pergunta pregunta');
export const NAME_KEYS = words(
	'columnname fieldname name column field customfield property key system campo',
);
export const CODE_KEYS = words('code fieldcode columnid questionid fieldid ref id');
/** A key whose object says the kind of an answer before the answer: `{textQuestionAnswer: {answer: 'Ana'}}`. */
export const DETAILS_KEY = 'answerdetails';
/** The parts of a date in an object, and those of its time. */
export const DATE_PARTS = {
	day: words('day dia'),
	month: words('month mes'),
	year: words('year ano'),
	time: words('hour min minute second ampm timeinput'),
};
/** Keys of a cell that a program has read from a spreadsheet: its text is one of them. */
export const CELL_KEYS = words('richtext formula sharedformula hyperlink hyper');
/** Keys of an object or a list within a person that has more of its fields. */
export const FIELDS_OF_PERSON = words('field custom answers attributes properties merge value');
/** Keys whose text is a whole payload, if it is a JSON object. */
export const ENVELOPES = words('body payload data json datajson rawrequest');
/** Objects in which forms send their answers. Others, such as `headers`, are about the request. */
export const OF_FORM = words(
	'body data fields form formresponse answers response responses payload submission questions questionsandanswers rawrequest',
);

/** Keys of a question in a list that has no answer: what the form is, and not what a person wrote. */
export const OF_QUESTION = words('label title question questiontitle type key options choices');
/** What tells one submission from another of the same answers. */
export const SUBMISSION_IDS = words('submissionid responseid entryid');
/** Keys that programs add, which change without a new submission. */
export const TECHNICAL = words(`
	createdat createdon createdtime updatedat updatedon updatedtime modifiedat modifiedon modifiedtime webhookurl executionmode
	submittedat formmode formname eventtype`);

// ---- Documented values

/** Words for a value in Portuguese and Spanish; the first of them is shown. */
export const VALUES_IN_WORDS: Record<string, string> = {
	open: 'Aberto, Aberta, Em aberto, Abierto, Abierta, Novo, Nova, Nuevo, Nueva',
	in_progress: 'Em andamento, Em progresso, En curso, En progreso, En proceso',
	closed_won: 'Ganho, Ganha, Ganado, Ganada, Fechado ganho, Cerrado ganado, Vendido, Vendida',
	closed_lost: 'Perdido, Perdida, Fechado perdido, Cerrado perdido',
	medium: 'Média, Médio, Media, Medio',
	high: 'Alta, Alto',
};
/** Words before a value that leave it what it is: `Venda perdida`, `Negócio ganho`. */
export const SOLD_THING =
	/^\s*(?:deal|trato|sale|venda|venta|neg[oó]cio|negocia[cç][aã]o|oportuni(?:dade|dad|ty))\s+/i;
/** Other English words for a value. */
export const ENGLISH_VALUES: Record<string, string> = {
	open: 'New',
	closed_won: 'Won',
	closed_lost: 'Lost',
};

// ---- Ads

/** Keys about the ad and the form of a lead, and the names that *Get Conversions* and the platforms have for them. */
export const AD_KEYS: Record<string, string> = {
	gclid: 'gclid',
	gbraid: 'gbraid',
	wbraid: 'wbraid',
	fbc: 'fbc',
	fbclid: 'fbclid',
	ttclid: 'ttclid',
	lifatid: 'li_fat_id',
	leadgenid: 'lead_id',
	adid: 'ad_id',
	adname: 'ad_name',
	adsetid: 'adset_id',
	adsetname: 'adset_name',
	adgroupid: 'adgroup_id',
	creativeid: 'creative_id',
	campaignid: 'campaign_id',
	campaignname: 'campaign_name',
	formid: 'form_id',
	formname: 'form_name',
};
/** Of these, the ones that forms without an ad have as well. */
export const OF_ANY_FORM = words('form_id form_name');
/** Beside these keys, `id` is that of the lead. */
export const BESIDE_LEAD_ID = words('fielddata ad adset adid adsetid');
/** Keys beside those of an ad that no person answers. */
export const BESIDE_AD = words(
	'id status locale apiversion platform isorganic istest testlead createdtime googlekey pageid',
);
/** Keys that say that a lead is a test of the platform, and how Meta writes its values. */
export const TEST_LEAD = words('istest testlead');
export const TEST_VALUE = /^<test lead: dummy data/i;
