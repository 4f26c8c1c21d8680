/**
 * Lists the words by which values are read: what stands for no value, names a secret, is skipped in a name, or belongs to a date;
 * data only. The words of headings are in headings.ts, which says how to add one. In lower case and without accents, unless an
 * expression says so.
 */
const wordSet = (text: string) => new Set(text.trim().split(/\s+/));

// ---- No value

/** What programs write where they have no value. */
export const ERROR = /^(?:undefined|\[object \w+\]|\(null\))$/i;
/** What an expression leaves in a text into which it puts an object: a plain one, of a class, or a function's result to come. */
export const OBJECT_IN_TEXT = /\[object [A-Z]\w*\]/;
/**
 * What a spreadsheet in any language shows where a formula failed, by its form: `#N/D`, `#VALOR!`, `#¿NOMBRE?`, `#GETTING_DATA`.
 * A hashtag has neither such a mark nor an underscore between capitals. The last are words of Germany, Turkey and Hungary.
 */
export const SHEET_ERROR =
	/^#(?:[¡¿]?\p{Lu}[\p{Lu}\p{N}_]*[!?]|[¡¿]?\p{Lu}{1,3}\/[\p{Lu}\p{N}]{1,2}[!?]?|\p{Lu}+(?:_\p{Lu}+)+|NV|YOK|HIÁNYZIK)$/u;
/** What Google Sheets shows while a formula is computed. */
export const LOADING =
	/^(?:loading|carregando|cargando|chargement|caricamento|laden|wird geladen)\s?(?:\.{3}|…)$/i;
/** Words for no value that are also names and choices: people are called Null and Nan, and a priority may be `none`. */
export const NO_VALUE = /^(?:null|nan|none|n\/a)$/i;
/** What Odoo and others write for an empty text, as a program or a spreadsheet shows it. */
export const FALSE = /^(?:false|falso)$/i;
/** A first and a last name that are both missing. */
export const MISSING_FULL_NAME = /^null\s+null$/i;
/** What people write where they have no value: `-`, `N/A`, `TBD`, `a combinar`, `em branco`, `pending`. */
export const NO_ENTRY =
	/^(?:[\p{Pd}_.?/\s]*|n[./]?[ad]\.?|tbd|x+|(?:a|por) \p{L}+[aei]r|to be \p{L}+|sob consulta|(?:e[mn] )?(?:branco|blanco)|blank|empty|vazio|vac[ií]o|pend(?:ente|iente|ing))$/iu;
/** The same in words that begin with a no: `não tem`, `sem código`, `ainda não`, `ningún dato`, `none yet`, `s/ nº`. */
export const NO_ENTRY_IN_WORDS =
	/^(?:(?:ainda|todav[ií]a|a[uú]n) )?(?:n[ãa]o|not?|none|nothing|nada|sem|sin|without|nenhuma?|ning[uú]n[oa]?|s\/ ?[\p{L}º]+)(?:[ _-]\p{L}+){0,3}$/iu;

// ---- Secrets, in capitals

/**
 * How the words begin that name a secret in English, Portuguese, Spanish, French, German and Italian, without accents: so
 * `authentication` and `autenticação` need no entry each. An author is none.
 */
export const SECRET_STEM =
	/^(?:O?AUTH(?!OR(?:S|A|ES|AS|SHIP|NAME|EMAIL)?$)|AUTEN|CREDEN[CT]|PASS(?:WO|WD|PHR|COD)|PWD|SENHAS?$|CONTRASEN|KENNWORT|SECRETS?$|SECRETOS?$|SEGREDO|GEHEIM|(?:API|HOT)?(?:KEYS?|TOKS?)$|CHAVES?$|CLAVES?$|LLAVES?$|CLES?$|SCHLUE?SSEL|CHIAV[EI]$|JWT|BEARER|SIG$|SIGNATURES?$|HMAC|CHECKSUM|NONCE|CSRF|XSRF|COOKIES?$|PINS?$|T?OTP$|MFA$|CV[VC]$)/;
/** How they end where words are written together, and what the widgets of captchas add: `accesstoken`, `cf-turnstile-response`. */
export const SECRET_END = /(?:TOKENS?|SECRETS?|PASSWORD|CAPTCHA|TURNSTILE|HONEYPOT)$/;
/** Phrases that name a secret, and words that do where they are the whole name. */
export const SECRET_PHRASE =
	/\b(?:MOT DE PASSE|ASSINATURA DIGITAL|FIRMA DIGITAL|SESSION ID|2 FA|CARD NUMBER|CARD CODE|NUMERO DO CARTAO|CODIGO DO CARTAO|NUMERO DE (?:LA )?TARJETA|SECURITY CODE|CODIGO DE SEGURANCA|CODIGO DE SEGURIDAD)\b|^(?:PASS|SESSION|SESSAO|SESION|HASH|CODIGO DE ACESSO|ACCESS CODE|CODIGO (?:DA |DE )?API|API CODE)$/;

// ---- Names

/** Titles of men and of women. Before a last name alone, they tell a couple apart. */
export const TITLES = {
	male: wordSet('sr snr seu don mr'),
	female: wordSet('sra srta dona mrs ms miss dra profa'),
};
/** What programs and people write where they know no name. */
export const NO_NAME_KNOWN = wordSet(`
	cliente clientes client customer contato contacto contact lead usuario usuaria user consumidor consumer guest invitado invitada convidado convidada
	nome nombre name desconhecido desconhecida desconocido desconocida unknown anonimo anonima anonymous whatsapp visitante visitor
	informado informada informed identificado identificada identified`);
/** Words that are skipped where names are compared: titles, those of no name and what is beside them, and particles. */
export const NOT_OF_NAME = new Set([
	...TITLES.male,
	...TITLES.female,
	...NO_NAME_KNOWN,
	...wordSet(`
		dr prof mx lic ing eng arq pr rev pastor pastora padre tia tio
		novo nova nuevo new final nao sem sin no without
		de da do das dos del la las los e y i and van von`),
]);
/** The last word of a name that father and son share, and which of them it is. */
export const GENERATIONS: Record<string, string> = {
	...{ sr: 'father', senior: 'father', jr: 'son', junior: 'son', filho: 'son', ii: 'son' },
	...{ neto: 'grandson', iii: 'grandson', sobrinho: 'nephew' },
};
/** Second first names: sisters are Ana Paula and Ana Clara, brothers José Carlos and José Antônio. */
export const SECOND_NAMES = wordSet(`
	alice angelica aparecida beatriz belen carmen carolina caroline cecilia celia clara claudia conceicao cristina dolores eduarda
	elena eugenia fatima fernanda flavia gabriela helena ines isabel julia laura leticia lourdes lucia luisa maria mercedes paula
	pilar regina rita rosario sofia teresa vitoria victoria alberto alejandro andres angel antonio augusto carlos daniel david
	eduardo enrique felipe fernando francisco gabriel guilherme gustavo henrique ignacio javier jesus jose lucas luis manuel
	marcelo mateus miguel pablo paulo pedro rafael ramon ricardo roberto vitor`);

// ---- Phones

/** The kind of phone, written after the number. */
export const PHONE_KINDS = wordSet(
	'whatsapp whats app wpp zap cel celular movel movil mobile fixo',
);
/** What a number is called that nobody answers. */
export const NO_CALLS = wordSet('fax telefax');
/** Before an extension. Of two letters or one, its number has to follow. */
export const EXTENSION_WORDS = wordSet(
	'ext extn extension extensao ramal int interno anexo x # r rm',
);
/** Between two numbers in a cell. */
export const AND = wordSet('e y and ou o or');

// ---- Dates

/** The months from January. Of them and of the days of the week, the first three letters are enough. */
export const MONTHS = [
	...['january janeiro enero', 'february fevereiro febrero', 'march marco marzo', 'april abril'],
	...['may maio mayo', 'june junho junio', 'july julho julio', 'august agosto'],
	...['september setembro septiembre setiembre', 'october outubro octubre'],
	...['november novembro noviembre', 'december dezembro diciembre'],
].map(wordSet);
/** The days of the week, which say nothing more about a date behind them. */
export const WEEKDAYS = wordSet(`
	monday tuesday wednesday thursday friday saturday sunday segunda-feira terca-feira quarta-feira quinta-feira sexta-feira sabado
	domingo lunes martes miercoles jueves viernes`);
/** Between the day, the month and the year: `31 de janeiro de 2026`. */
export const OF_DATE = wordSet('de del of');
/** Behind the number of a day: `31st`, `1º`. */
export const ORDINALS = wordSet('st nd rd th º ª °');
/** Between a date and its time, with commas between: `às 14:30`. */
export const BEFORE_TIME = new Set('as, a las, a la, at'.split(', '));
/** Words of a time by the letter that stands for them, for none those between: `14 horas e 30 minutos` is `14 h 30 m`. */
export const WORDS_OF_TIME = {
	h: wordSet('h hr hrs hs hour hours hora horas'),
	m: wordSet('m min mins minute minutes minuto minutos'),
	s: wordSet('s sec secs second seconds seg segs segundo segundos'),
	'': wordSet('e y and'),
};
/** Names of zones as ISO 8601 writes them: those of the United States are in RFC 5322 (4.3), and others have no one meaning. */
export const ZONES: Record<string, string> = {
	...{ z: 'Z', utc: 'Z', gmt: 'Z', est: '-05:00', edt: '-04:00', cst: '-06:00', cdt: '-05:00' },
	...{ mst: '-07:00', mdt: '-06:00', pst: '-08:00', pdt: '-07:00' },
};

// ---- Amounts

export const CURRENCY_WORDS = wordSet('currency moeda moneda divisa');
/** Beside a currency, they make it a rate. */
export const RATE_WORDS = wordSet('rate exchange taxa cotacao cambio tasa tipo');
/** The real, before or behind an amount or as the value of a currency. */
export const REAIS = wordSet('r$ brl real reais');
/** What a column of currencies may say beside it or instead: its country, and its number in ISO 4217. */
export const OF_REAIS = wordSet('brazilian brasileiro brasileno brazil brasil 986');
/** Other currencies in a value. */
export const OTHER_CURRENCIES = wordSet(
	'usd eur gbp ars mxn clp cop pen uyu euro dolar dolares dollar peso',
);
