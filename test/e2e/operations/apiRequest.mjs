import { nodesOf } from '../flow.mjs';

const request = (name, parameters) => nodesOf('apiRequest')(name, 'request', parameters);
const held = ({ id }) => `/contacts/${id}`;

export const prepare = async ({ sandbox }) => ({
	contacts: (await sandbox.get('/contacts')).contacts.filter(({ email }) => email),
});

export const steps = ({ contacts: [contact, other] }) => [
	{
		node: request('Read', { path: `/contacts/${contact.id}` }),
		gives: { name: contact.name },
		held,
	},
	{
		node: request('Read with query', {
			path: '/contacts/lookup',
			query: JSON.stringify({ email: contact.email }),
		}),
		gives: { id: contact.id },
		held,
	},
	{
		node: request('Change', {
			method: 'PUT',
			path: `/contacts/${other.id}`,
			body: '={{ { name: "Contact E" } }}',
		}),
		sends: ['PUT /contacts/{contactId}'],
		gives: { ...other, name: 'Contact E' },
		held,
	},
	{
		node: request('Read a list', { path: '/contacts', paginate: true, limit: 5 }),
		count: 5,
		held,
	},
	{
		node: request('Read a whole list', { path: '/contacts', paginate: true, returnAll: true }),
		listed: '/contacts',
	},
	{
		node: request('Write', { method: 'POST', path: '/tags', body: '{"name": "by request"}' }),
		sends: ['POST /tags'],
		gives: { name: 'by request' },
		among: '/tags',
	},
];
