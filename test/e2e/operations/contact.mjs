import { byId, nodesOf } from '../flow.mjs';

/** Contacts as the service returns them, which they are compared with. */
const contact = (name, operation, parameters) =>
	nodesOf('contact')(name, operation, { simplify: false, ...parameters });
const held = ({ id }) => `/contacts/${id}`;
/** WhatsApp has older numbers without the 9 that they have elsewhere. */
const WITHOUT_NINE = '+551177776666';
const WITH_NINE = '+55 11 97777-6666';
const either = { options: { tryNinthDigit: true } };

export const prepare = async ({ sandbox }) => ({
	known: (await sandbox.get('/contacts')).contacts.find(({ email }) => email),
});

export const steps = ({ known }) => [
	{
		node: contact('Create', 'create', {
			name: 'Contact B',
			email: 'contact.b@example.com',
			phone: '5511900010021@s.whatsapp.net',
		}),
		sends: ['POST /contacts'],
		gives: { name: 'Contact B', email: 'contact.b@example.com', phone: '+5511900010021' },
		held,
	},
	{
		node: contact('Find by phone', 'findOrCreate', {
			phone: '(11) 90001-0021',
			options: { defaultCountryCode: '55', tryNinthDigit: true },
		}),
		gives: { email: 'contact.b@example.com', created: false, matchedBy: 'phone' },
		held,
	},
	{
		node: contact('Find by email', 'findOrCreate', {
			phone: '+5511900010022',
			email: 'contact.b@example.com',
		}),
		gives: { phone: '+5511900010021', created: false, matchedBy: 'email' },
		held,
	},
	{
		node: contact('Find nobody', 'findOrCreate', {
			name: 'Contact C',
			phone: WITHOUT_NINE,
			...either,
		}),
		sends: ['POST /contacts'],
		gives: { name: 'Contact C', phone: WITHOUT_NINE, created: true },
		held,
	},
	{
		node: contact('Look up', 'lookup', { phone: WITH_NINE, ...either }),
		gives: { name: 'Contact C', matchedBy: 'phone', matchedValue: WITHOUT_NINE },
		held,
	},
	{
		node: contact('Get', 'get', { contactId: byId('={{ $("Create").first().json.id }}') }),
		gives: { name: 'Contact B' },
		held,
	},
	{
		node: contact('Update', 'update', {
			contactId: byId(known.id),
			updateFields: { name: 'Contact D', email: '' },
		}),
		sends: ['PUT /contacts/{contactId}'],
		gives: { ...known, name: 'Contact D', email: '' },
		held,
	},
	{
		node: contact('Some', 'getAll', { limit: 2, filters: { search: '+55119000100' } }),
		held,
	},
	{ node: contact('All', 'getAll', { returnAll: true }), listed: '/contacts' },
];
