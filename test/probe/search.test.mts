/** What the probe reports of the searches that find a record by email or phone, as the node sends them. */
import { assumptions } from '../../probe/assumptions/index.mts';
import type { Send } from '../../probe/client.mts';
import { toAnswer } from '../../probe/reply.mts';
import { read } from '../../probe/survey/read.mts';
import { Survey } from '../../probe/survey/survey.mts';

const contact = { id: 'c-1', name: 'Ana', email: 'Ana@Example.com', phone: '+55 11 98765-4321' };
/** Their email and phone end alike. */
const other = { id: 'c-2', name: 'Mariana', email: 'mariana@example.com', phone: '+1155598765' };

type Service = (search: string) => Array<typeof contact>;

const including = (text: (each: typeof contact) => string): Service => {
	return (search) => [contact, other].filter((each) => text(each).includes(search));
};
const digits = ({ phone }: typeof contact) => phone.replace(/[^+\d]/g, '');

/** A service with one lead for each contact that is found. */
const sendTo =
	(service: Service, refused = 0, contacts = [contact]): Send =>
	async ({ method, path, query }) => {
		const search = query.search as string | undefined;
		const found = search === undefined ? contacts : service(search);
		const leads = found.map(({ phone, ...shown }) => ({ id: `of ${shown.id}`, contact: shown }));
		const data = { '/leads': { leads }, '/contacts': { contacts: found } }[path];
		const status = data ? (search && refused) || 200 : 404;
		const body = status < 300 ? { success: true, data } : { success: false, error: {} };
		const given = { status, headers: {}, text: JSON.stringify(body), receivedAt: 0 };
		return toAnswer(method, given);
	};

async function outcomes(send: Send) {
	const survey = new Survey(send);
	await read(survey);
	const searches = assumptions.filter(({ rule }) => rule === 'search');
	return searches.map(({ check }) => {
		const { outcome, seen } = check(survey);
		return `${outcome}, ${seen}`;
	});
}

const none = ['differs, by none of 2 terms', 'differs, by none of 3 terms'];
const lowerCase: Service = (search) =>
	[contact].filter((each) => [each.email.toLowerCase(), digits(each)].includes(search));

test.each<[string, Service, emailAndPhone: string[]]>([
	[
		'parts of everything',
		including((each) => `${each.email} ${digits(each)}`),
		['holds, by term 1', 'holds, by term 1'],
	],
	['whole values in lower case', lowerCase, ['holds, by term 2', 'holds, by term 2']],
	['names only', including(({ name }) => name), none],
	['somebody else', () => [other], none],
	['phones as they are written', including(({ phone }) => phone), none],
])('a search that finds %s', async (_, service, expected) => {
	expect(await outcomes(sendTo(service))).toEqual([...expected, ...expected]);
});

test('refusals', async () => {
	expect(await outcomes(sendTo(() => [], 403))).toEqual(Array(4).fill('could not tell, 403'));
	const differs = (path: string) => `differs, GET /${path}?search=…&limit=100 answered 400`;
	const [leads, contacts] = [differs('leads'), differs('contacts')];
	expect(await outcomes(sendTo(() => [], 400))).toEqual([leads, leads, contacts, contacts]);
});

test('without a contact there is nothing to search for', async () => {
	const nothing = Array(4).fill('could not tell, there is no search to ask with') as string[];
	expect(await outcomes(sendTo(() => [], 0, []))).toEqual(nothing);
});
