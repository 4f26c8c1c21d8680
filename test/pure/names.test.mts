/** Which names may be those of one person. */
import { partition, uniq } from 'lodash';

import { namesAgree } from '../../nodes/IntegrationLeads/values/names';
import { SHORT_FORMS } from '../../nodes/IntegrationLeads/lexicon/shortForms';

/** As an address book, a form, a chat and a shop have the name of one person; in Portuguese, Spanish and English. */
const ONE_PERSON = `
Ana Souza = ana souza
Ana Souza = ANA SOUZA LIMA
Ana Souza = Souza, Ana
Ana Souza = Ana
Ana Souza = Ana Lima
Ana Souza = A. Souza
Ana Souza = Dona Ana
Ana Souza = Sra. Ana Souza
Ana Souza = Dra. Ana
Ana Souza = ana.souza
Ana Souza = AnaSouza
Ana Souza = Ana 🌸
Ana Souza = Ana - Imobiliária Sol
Ana Souza = Ana | Vendas
Ana Souza = Ana (mãe do Pedro)
Ana Souza = Cliente Ana
Ana Souza = Ana Paula de Souza
Ana Paula Souza = Paula Souza
Ana Souza = Anna Sousa
Beatriz Lima = Bia
Beatriz Lima = Bia Lima
Beatriz Lima = Beatris Lima
José Silva = Zé
José Carlos Silva = Zeca Silva
Francisco Alves = Chico Alves
Roberto Dias = Beto
Maria Eduarda Reis = Duda Reis
Maria Luíza Reis = Malu
Antônio Costa = Toninho
Guilherme Rocha = Gui Rocha
Luís Gomes = Luiz Gomes
Thiago Nunes = Tiago
Matheus Melo = Mateus Melo
Rafael Pinto = Raphael Pinto
Felipe Ramos = Filipe Ramos
Vítor Castro = Victor
Thaís Moura = Tais Moura
Teresa Braga = Tereza Braga
Cátia Neves = Kátia Neves
Walter Cruz = Valter Cruz
Yasmin Luz = Iasmim
Sr. João Prado = Seu João
José López = Pepe López
José García = García Pérez, José
Francisca Ruiz = Paqui
Ignacio Vega = Nacho Vega
Enrique Soto = Quique
Javier Mora = Xavier Mora
Doña Mercedes = Merche
Vanesa Gil = Vanessa Gil
Gonzalo Rey = Gonçalo Rey
Robert Smith = Bob Smith
Elizabeth Brown = Liz
William Jones = Bill Jones
Mr. James Hall = Jim Hall
Catherine Young = Kate Young
Stephen King = Steven King
Sarah Miller = Sara Miller-Jones
Jonathan Price = Jon
Dr. Thomas Wood = Tom Wood [VIP]`;

/** Couples, brothers and sisters, colleagues, and names that are similar. */
const TWO_PEOPLE = `
Ana Souza / Bia Souza
Ana Souza / Eva Souza
Mário Souza / Maria Souza
Paulo Lima / Paula Lima
Luís Lima / Luísa Lima
Daniel Reis / Daniela Reis
Rafael Reis / Rafaela Reis
Gabriel Reis / Gabriela Reis
João Prado / Joana Prado
Bruno Alves / Breno Alves
Diego Alves / Diogo Alves
Alice Nunes / Aline Nunes
Lívia Nunes / Lídia Nunes
Mariana Melo / Marina Melo
Marta Melo / Maria Melo
Márcia Melo / Maria Melo
Lara Costa / Sara Costa
Lara Costa / Laura Costa
Clara Costa / Carla Costa
Júlia Braga / Juliana Braga
Ana Braga / Mariana Braga
Ana Braga / Luana Braga
Adriana Luz / Ariana Luz
Elisa Luz / Elias Luz
Reinaldo Luz / Reginaldo Luz
Keila Dias / Sheila Dias
Bia / Mãe da Bia
Pedro Rocha / Pai do Pedro
Loja da Ana / Bia
José Silva / Josué Silva
Juan Pérez / Juana Pérez
Juan Pérez / Joan Pérez
Francisco Gil / Francisca Gil
Carmen Ruiz / Carlos Ruiz
Marcos Vega / Mateo Vega
John Smith / Joan Smith
Eric Hall / Erica Hall
Denis Wood / Denise Wood
Hannah Young / Anna Young
Bob Brown / Bill Brown`;

/**
 * Written down before the names were compared. Short forms of https://www.liquisearch.com/portuguese_name/diminutive,
 * https://chimatli.org/blog/?m=201003 (March 2010), https://www.expatica.com/es/insider-views/Not-Hemingways-Spain-Common-Spanish-nicknames_107553.html
 * and https://github.com/carltonnorthern/nicknames (1 Jun 2026); titles, initials, order and what WhatsApp shows.
 */
const FURTHER_ONE_PERSON = `
Adriana Moraes = Drica Moraes
Afonso Neves = Afonsinho
Alexandra Reis = Xanda Reis
Alice Barros = Lili Barros
Amélia Duarte = Amelinha Duarte
Ana Souza = Aninha
Augusto Pires = Guto Pires
Bárbara Teles = Babi Teles
Camila Freitas = Mila Freitas
Carlos Mendes = Carlinhos Mendes
Frederico Lopes = Fred Lopes
Manuel Correia = Manel Correia
Teresa Vaz = Teresinha Vaz
Marcos Leal = Marcão
José Antunes = Zezé
Ana Paula Ribeiro = Paula
Maria de Fátima Rocha = FATIMA ROCHA
João Pedro Luz = JP Luz
Fernanda Oliveira Castro = Fernanda Castro Menezes
Profª. Helena Dias = Helena Dias
Sr(a). Rita Prado = Rita Prado
João Pedro Prado = J. P. Prado
PRADO, JOAO PEDRO DO = João Pedro do Prado
Paulo Reis Filho = Paulo Reis
Juliana Moraes = ~ Ju 💕
Ana Souza = 𝓐𝓷𝓪 𝓢𝓸𝓾𝔃𝓪
Ana Souza = ana_souza23
Conceição Lima = Concei??o Lima
Marcelo Dias = Marcelo da Padaria
Marcelo Dias = Padaria Sol (Marcelo)
Alfonso Ruiz = Poncho Ruiz
Eduardo Vega = Lalo Vega
Gregorio Luna = Goyo Luna
Salvador Mora = Chava
Vicente Ríos = Chente
Sergio Soto = Checo Soto
Jesús Ortega = Chuy Ortega
Graciela Paz = Chela Paz
Guadalupe Cruz = Lupita Cruz
Manuel Rey = Manolo Rey
María Luisa Gómez = Marisa Gómez
Inmaculada Vera = Inma Vera
Beatriz Sanz = Bea Sanz
Alejandro Cid = Jandro Cid
Arq. Luis Peña = LUIS PENA
María José Ruiz de Soto = Mª José Ruiz
Abigail Stone = Gail Stone
Albert Moss = Bert Moss
Amanda Cole = Mandy Cole
Andrew Webb = Drew Webb
Angela Fox = Angie Fox
Bernard Nash = Bernie Nash
Cassandra Bell = Cassie Bell
Christopher Dean = Chris Dean
Mary-Kate O'Neil = Mary Kate ONeil
John Smith Jr. = Smith, John R.
Mrs. Emma Watts (née Cole) = Emma Cole
William H. Gates III = Bill Gates
Rev. Martin Shaw = Martin Shaw
Elizabeth Moore = Liz @ Acme`;

/** Sisters, brothers, couples, father and son, colleagues, and two full names that share a short form. */
const FURTHER_TWO_PEOPLE = `
Adriana Moraes / Adriano Moraes
Afonso Neves / Alfredo Neves
Camila Freitas / Emília Freitas
Carlos Mendes / Carla Mendes
Fernando Luz / Fernanda Luz
Roberto Dias / Alberto Dias
Maria Eduarda Reis / Maria Clara Reis
José Carlos Silva / José Antônio Silva
Ana Paula / Ana Clara
Paulo Reis Neto / Paulo Reis Filho
Filho do Paulo / Paulo
Sr. Prado / Sra. Prado
Assistente da Rita / Rita
Noiva do Pedro / Pedro Luz
Amiga da Carol / Carol
Marcelo Dias / Marcela Dias
Gregorio Luna / Gloria Luna
Concepción Paz / Consuelo Paz
Jesús Ortega / José Ortega
Sergio Soto / Sofía Soto
Alejandro Cid / Alejandra Cid
María José Ruiz / María Luisa Ruiz
Juan Manuel Gil / Juan Gabriel Gil
Antonio Cruz / Antonia Cruz
Marisol Vera / Maribel Vera
Emilio Cano / Emilia Cano
Esposa de Luis / Luis Peña
Hilda Mena / Nilda Mena
Christina Dean / Christopher Dean
Albert Moss / Alfred Moss
Alexander Pike / Alexandra Pike
Andrew Webb / Andrea Webb
Patricia Holt / Patrick Holt
Samuel Reed / Samantha Reed
Jane Porter / Janet Porter
Mark Wells / Mary Wells
Ellen Park / Helen Park
John Smith Jr. / John Smith Sr.
Mr. Hall / Mrs. Hall
Tom's assistant / Tom`;

/** Those of one person that do not agree: letters that a program lost, and a person in brackets. */
const NOT_RECOGNIZED = ['Concei??o Lima', 'Padaria Sol (Marcelo)'];

const pairsIn = (text: string, sign: string) =>
	text
		.trim()
		.split('\n')
		.map((line) => line.split(` ${sign} `));

const further = pairsIn(FURTHER_ONE_PERSON, '=');
const [recognized, refused] = partition(further, ([, other]) => !NOT_RECOGNIZED.includes(other));
const onePerson = [...pairsIn(ONE_PERSON, '='), ...recognized];
const twoPeople = [TWO_PEOPLE, FURTHER_TWO_PEOPLE].flatMap((text) => pairsIn(text, '/'));

test('120 pairs are of one person, 80 of two', () => {
	expect([onePerson.length + refused.length, twoPeople.length]).toEqual([120, 80]);
});

test('2 pairs of one person do not agree', () => {
	expect(refused.map(([one, other]) => namesAgree(one, other))).toEqual([false, false]);
});

test.each(onePerson)('%s and %s are one person', (one, other) => {
	expect([namesAgree(one, other), namesAgree(other, one)]).toEqual([true, true]);
});

test.each(twoPeople)('%s and %s are two people', (one, other) => {
	expect([namesAgree(one, other), namesAgree(other, one)]).toEqual([false, false]);
});

test.each([
	'',
	null,
	'Cliente',
	'Sem nome',
	'Novo contato',
	'Unknown',
	'ana@example.com',
	'+55 11 90000-0001',
	'🌸',
	'A.',
	'Ana '.repeat(100),
])('%j names no person', (name) => {
	expect(namesAgree(name, 'Bia Lima')).toBeUndefined();
});

const FIRST_NAMES = uniq(Object.values(SHORT_FORMS).flatMap((names) => names.split(' ')));

/** A row of short forms that makes one name of two is seen here. `Mary` and `Mari` sound alike. */
const SOUND_ALIKE =
	'catherine katharine; catherine kathryn; cristian christian; cristina christina; elisabet elisabete; elisabet elizabeth; geferson jefferson; isabel izabel; isabela isabella; izabel maribel; izabel marisa; maria mary; mariana mary; mariane mary; maricela mary; marilia mary; marina mary; marisa mary; michele michelle; rebeca rebecca; susana susanna; teresa theresa; thomas tomas; victoria vitoria';

test('of all full names that have a short form, two agree only where they sound alike or one is short for the other', () => {
	const isShort = (short: string, name: string) =>
		new RegExp(`\\b${name}\\b`).test(SHORT_FORMS[short] ?? '');
	const found = FIRST_NAMES.flatMap((one, n) =>
		FIRST_NAMES.slice(n + 1)
			.filter((other) => namesAgree(one, other) && !isShort(one, other) && !isShort(other, one))
			.map((other) => `${one} ${other}`),
	);
	expect(found.sort().join('; ')).toBe(SOUND_ALIKE);
});

test('short forms are in lower case, without accents, and not those of both sexes alone', () => {
	for (const [short, names] of Object.entries(SHORT_FORMS)) {
		expect(`${short} ${names}`).toMatch(/^[a-z]+(?: [a-z]+)+$/);
	}
});
