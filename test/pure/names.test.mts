/** Which names may be those of one person. */
import { namesAgree } from '../../nodes/IntegrationLeads/values/names';
import { SHORT_FORMS } from '../../nodes/IntegrationLeads/values/shortForms';

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

const pairsIn = (text: string, sign: string) =>
	text
		.trim()
		.split('\n')
		.map((line) => line.split(` ${sign} `));

const onePerson = pairsIn(ONE_PERSON, '=');
const twoPeople = pairsIn(TWO_PEOPLE, '/');

test('60 pairs are of one person, 40 of two', () => {
	expect([onePerson, twoPeople].map((pairs) => pairs.length)).toEqual([60, 40]);
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

test('short forms are in lower case, without accents, and not those of both sexes alone', () => {
	for (const [short, names] of Object.entries(SHORT_FORMS)) {
		expect(`${short} ${names}`).toMatch(/^[a-z]+(?: [a-z]+)+$/);
	}
});
