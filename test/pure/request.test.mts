import { attempt, escapeRegExp, keys, map, mapValues, pick } from 'lodash';

import { InputError, remedyFor, type Remedy } from '../../nodes/IntegrationLeads/userError';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { draftItem } from '../../nodes/IntegrationLeads/prepare/draft';
import { recordKeysOf } from '../../nodes/IntegrationLeads/prepare/plan';
import { planRequest } from '../helpers/plan.mts';

type Values = Record<string, unknown>;

const locator = (mode: string, value: unknown) => ({ __rl: true, mode, value });
const lead = locator('id', 'l-1');
const byName = { mappingMode: 'autoMapInputData', value: null };

function plan(
	operation: string,
	values: Values,
	resource = 'lead',
	input = {},
	context: Partial<Parameters<typeof draftItem>[2]> = {},
) {
	return planRequest(resources[resource].operations[operation], (name) => values[name], {
		timezone: 'America/Sao_Paulo',
		input,
		now: Date.UTC(2026, 0, 31),
		...context,
	});
}

/** Lines of `resource.operation values => expected`. In the values, "@mode:value" is a resource locator. */
const rows = (table: string) =>
	table
		.trim()
		.split('\n')
		.map((line): [name: string, values: Values, expected: string] => {
			const [, name, values, expected] = /^(\S+) (.*) => (.*)$/.exec(line)!;
			const parsed = JSON.parse(values, (_, value: unknown) => {
				const [, mode, text] = /^@(\w+):(.*)$/s.exec(String(value)) ?? [];
				return mode ? locator(mode, text) : value;
			}) as Values;
			return [name, parsed, expected];
		});

const planned = (name: string, values: Values, input = {}) => {
	const [resource, operation] = name.split('.');
	return plan(operation, values, resource, input);
};

// Blank is not sent, JSON of the user wins over the fields and is not added to them, and a protocol that came by JSON is one.
it.each(
	rows(String.raw`
lead.get {"leadId": "@id:l-1"} => GET /leads/l-1 {"query": {}, "repeatable": true}
lead.get {"leadId": "@externalId:all"} => GET /leads/all {}
lead.get {"leadId": "@id: l-1\n"} => GET /leads/l-1 {}
lead.get {"leadId": 42} => GET /leads/42 {}
lead.get {"leadId": "@externalId:\ufeffe-1\u00a0"} => GET /leads/e-1 {}
lead.get {"leadId": "@externalId:a/b c"} => GET /leads/a%2Fb%20c {}
lead.getAll {} => GET /leads {"query": {}, "repeatable": true}
lead.getAll {"filters": {"status": "lost", "search": 42, "createdAfter": "2026-01-31"}} => GET /leads {"query": {"status": "lost", "search": "42", "createdAfter": "2026-01-31T03:00:00.000Z"}}
lead.getAll {"filters": {"tag": "@list:t-1"}} => GET /leads {"query": {"tag": "t-1"}}
lead.removeTag {"leadId": "l-1", "tagId": "@list:t-1"} => DELETE /leads/l-1/tags/t-1 {"repeatable": true}
lead.update {"leadId": "l-1", "updateFields": {"notes": " ", "contact": {"phone": ""}, "tags": "", "source": null, "priority": 2}} => PUT /leads/l-1 {"body": {"priority": "2"}, "repeatable": true}
lead.update {"leadId": "l-1", "updateFields": {"contact": {"email": " a@example.com ", "phone": "+55 (11) 90000-0001"}}, "options": {"timeout": 5}} => PUT /leads/l-1 {"body": {"contact": {"email": "a@example.com", "phone": "+5511900000001"}}}
lead.upsert {"externalId": "e-1\u200b "} => POST /leads {"body": {"externalId": "e-1"}}
lead.upsert {"externalId": "e", "additionalFields": {"tags": ["vip"]}, "options": {"additionalBody": {"tags": ["own"]}}} => POST /leads {"body": {"externalId": "e", "tags": ["own"]}}
lead.upsert {"externalId": "e", "protocol": "", "email": "", "phone": null, "additionalFields": {"contactId": "@list:", "createContactIfNotFound": ""}, "options": {"additionalBody": ""}} => POST /leads {"body": {"externalId": "e"}, "repeatable": true}
lead.upsert {"externalId": 17, "phone": "5511900000000@s.whatsapp.net"} => POST /leads {"body": {"externalId": "17", "contact": {"phone": "+5511900000000"}}}
lead.upsert {"externalId": "e", "additionalFields": {"contactId": "@list:c-1", "createContactIfNotFound": "false", "estimatedValue": "1500.50", "unheardOf": 1}} => POST /leads {"body": {"externalId": "e", "contactId": "c-1", "createContactIfNotFound": false, "estimatedValue": 1500.5}}
lead.upsert {"protocol": "ML-1"} => POST /leads {"body": {"protocol": "ML-1"}, "repeatable": true}
lead.upsert {"protocol": "ML-1", "name": "Ana"} => POST /leads {"repeatable": false}
lead.upsert {"externalId": "e", "additionalFields": {"notes": "form", "status": "open"}, "options": {"additionalBody": "{\"notes\": null, \"extra\": [1], \"contact\": {\"name\": \"A\"}}"}, "email": "a@example.com"} => POST /leads {"body": {"externalId": "e", "status": "open", "notes": null, "extra": [1], "contact": {"name": "A"}}}
lead.upsert {"externalId": "e", "options": {"additionalBody": {"protocol": "ML-1"}}} => POST /leads {"repeatable": false}
apiRequest.request {"method": "GET", "path": "leads", "query": "{}"} => GET /leads {"query": {}, "repeatable": true}
apiRequest.request {"method": "POST", "path": "/api/v1/integration/tags", "body": "{\"name\":\"vip\"}", "query": "{\"a\":1}"} => POST /tags {"body": {"name": "vip"}, "query": {"a": 1}, "repeatable": false}
apiRequest.request {"method": "PUT", "path": "/x", "query": "{}", "body": [1]} => PUT /x {"body": [1], "repeatable": true}
apiRequest.request {"method": "DELETE", "path": "/x", "query": "{}"} => DELETE /x {"repeatable": true}`),
)('%s %j: %s', (name, values, expected) => {
	const { request } = planned(name, values);
	const [, route, more] = /^(\S+ \S+) (.*)$/.exec(expected)!;
	expect(`${request.method} ${request.path}`).toBe(route);
	expect(request).toEqual({ ...request, ...(JSON.parse(more) as object) });
	if (['GET', 'DELETE'].includes(request.method)) expect(request.body).toBeUndefined();
});

// What is sent is no setting.
it.each(
	rows(`
lead.getAll {"returnAll": "true", "limit": ""} => {"returnAll": true, "options": {}}
lead.getAll {"returnAll": " FALSE ", "limit": "7"} => {"returnAll": false, "limit": 7}
lead.getAll {"limit": -1} => {"limit": 1}
lead.getAll {"limit": 2.7} => {"limit": 2}
lead.getAll {"options": {"timeout": 0, "unheardOf": 1}} => {"options": {"timeout": 1}}
lead.getAll {"options": {"timeout": ""}} => {"options": {}}
lead.get {"leadId": "l-1", "simplify": "true"} => {"simplify": true}
apiRequest.request {"path": "/x", "query": "{}", "paginate": "true"} => {"paginate": true}
lead.upsert {"externalId": "e", "additionalFields": {"notes": "x"}} => {"externalId": null, "additionalFields": {}}`),
)('the settings of %s %j: %s', (name, values, settings) => {
	const { settings: given } = planned(name, values).values;
	const expected = JSON.parse(settings) as Values;
	expect({ ...mapValues(expected, () => null), ...pick(given, keys(expected)) }).toEqual(expected);
});

describe('what is refused before anything is sent', () => {
	// The path and what else is required; placeholders; what is no email or external ID; phones; types.
	it.each(
		rows(String.raw`
lead.get {} => "Lead"
lead.get {"leadId": "@list:"} => "Lead"
lead.get {"leadId": "@id:../contacts"} => "Lead"
lead.get {"leadId": "@externalId:.."} => "Lead"
lead.removeTag {"leadId": "l-1", "tagId": "a?b"} => "Tag"
sync.delete {"externalId": "all"} => "External ID"
apiRequest.request {"method": "GET", "path": "/../x"} => "Path"
lead.updateStatus {"leadId": "l-1", "status": ""} => "New Status"
lead.addTags {"leadId": "l-1", "tags": " , "} => "Tags" is empty
lead.upsert {"name": "A"} => "External ID"
lead.update {"leadId": "l-1", "updateFields": {}} => Nothing to update
lead.update {"leadId": "@id:undefined", "updateFields": {}} => "Lead"
conversation.create {} => "Lead" and "Contact" are empty
conversation.create {"leadId": "@id:", "contactId": "@emailOrPhone:"} => "Lead" and "Contact" are empty
lead.upsert {"externalId": "undefined"} => "External ID"
sync.get {"externalId": "[object Object]"} => "External ID"
lead.upsert {"externalId": "e", "options": {"additionalBody": {"contactId": "undefined"}}} => "Contact ID"
lead.upsert {"externalId": "e", "options": {"additionalBody": {"contact": {"email": "n/a"}}}} => "Email"
lead.upsert {"externalId": "e", "options": {"additionalBody": {"contact": {"phone": "n/a"}}}} => not the word "n/a"
contact.lookup {"email": " null "} => "Email"
contact.lookup {"email": "a@example.com", "phone": "+5511900000001"} => both or none are given
contact.lookup {} => both or none are given
lead.upsert {"externalId": "e", "name": "undefined"} => "Name"
sync.push {"lead": {"value": {"externalId": "e", "contactId": "None"}}} => "Contact ID"
lead.upsert {"externalId": "e", "additionalFields": {"tags": "a, #N/A"}} => "Tags"
lead.getAll {"filters": {"email": ""}} => "Email" is empty
lead.getAll {"filters": {"phone": "98765-4321"}} => "Phone" has no country code
lead.get {"leadId": "@emailOrPhone:undefined"} => not the word "undefined"
lead.get {"leadId": "@emailOrPhone: "} => "Lead" is empty
lead.upsert {} => "Email", "Phone" and "External ID" are empty
lead.upsert {"options": {"additionalBody": {"contact": {"phone": "8888-7777"}}}} => "Phone" has no country code
lead.updateStatus {"leadId": "l-1", "status": "undefined"} => "New Status"
tag.create {"name": "#N/A"} => "Name"
lead.upsert {"email": "fulano@"} => "Email" must be one email address
sync.push {"lead": {"value": {"externalId": "a:"}}} => "External ID" lacks a part
sync.push {"leadJson": "{\"externalId\": \"order_undefined\"}"} => lacks a part
sync.delete {"externalId": "whatsapp-"} => "External ID" lacks a part
lead.upsert {"externalId": "e", "phone": "(11) 97777-1234"} => "Phone" has no country code
contact.create {"phone": "97777-1234"} => "Phone" has no country code
sync.push {"lead": {"mappingMode": "autoMapInputData"}} => "phone" has no country code
lead.update {"leadId": "l-1", "updateFields": {"estimatedValue": "1.500"}} => can be read in two ways
lead.getAll {"filters": {"createdAfter": "03/04/2026"}} => can be read in two ways
lead.upsert {"externalId": "e", "additionalFields": {"saleDate": "30/12/1899"}} => "Sale Date" is before 1990: "30/12/1899"
lead.update {"leadId": "l-1", "updateFields": {"saleDate": "1970-01-01"}} => "Sale Date" is before 1990: "1970-01-01"
lead.recordSale {"externalId": "e", "soldOn": "31/12/9999", "saleValue": "1"} => "Sale Date" is more than a year ahead: "31/12/9999"
sync.push {"lead": {"value": {"externalId": "e", "saleDate": "0001-01-01T00:00:00"}}} => "Sale Date" is before 1990: "0001-01-01T00:00:00"
lead.getAll {"limit": "1.500,00"} => "Limit" must be a number
lead.getAll {"options": {"timeout": [2]}} => "Timeout (Seconds)" must be a number
sync.push {"specifyLeads": "__proto__"} => "Specify Leads" has no value "__proto__"
lead.getAll {"returnAll": 1} => "Return All" must be true or false
lead.getAll {"filters": {"status": ["open", "won"]}} => "Status" must be text
lead.get {"leadId": {"id": "l-1"}} => "Lead" must be text
lead.update {"leadId": "l-1", "updateFields": {"notes": {"a": 1}}} => "Notes" must be text
lead.upsert {"externalId": "e", "options": {"additionalBody": "{"}} => "Additional Body"
apiRequest.request {"path": "/x", "paginate": "maybe"} => "Read a List" must be true
apiRequest.request {"method": "GET", "path": "/x", "query": "[1]"} => "Query"`),
	)('%s %j: %s', (name, values, message) => {
		const input = { externalId: 'e', phone: '97777-1234' };
		const error = attempt(planned, name, values, input);
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({ message: expect.stringContaining(message) });
	});

	// What is wrong is not missing as well. "row" is an input item whose fields are mapped by name.
	it.each(
		rows(`
lead.upsert {"row": {"Celular": "97777-1234"}} => "Celular" has no country code
lead.upsert {"row": {"Celular": "97777-1234", "Sale Date": "soon"}} => "Celular" has no country code; "Sale Date" must be a date
lead.upsert {"row": {"External ID": "a", "Data da venda": "1899-12-30T00:00:00.000Z"}} => "Data da venda" is before 1990
sync.push {"row": {"External ID": "a", "Sale Date": "1970-01-01"}} => "Sale Date" is before 1990
lead.upsert {"externalId": "crm-", "phone": "97777-1234"} => "External ID" lacks a part; "Phone" has no country code
lead.upsert {"row": {"Fone": "97777-1234"}, "options": {"externalIdColumn": "Fone"}} => "Fone" must be an email, or; "Fone" has no country code
lead.upsert {"row": {"External ID": "a", "ID externo": "b", "Celular": "97777-1234"}} => two columns; "Celular" has no country code
lead.upsert {"additionalFields": {"saleDate": "soon"}} => "Sale Date" must be a date; "Email", "Phone" and "External ID" are empty
lead.upsert {"options": {"additionalBody": "{"}} => "Additional Body"
lead.upsert {"phone": "97777-1234", "options": {"additionalBody": "{"}} => "Phone" has no country code; "Additional Body"
lead.recordSale {"soldOn": "soon", "saleValue": "abc", "externalId": "a", "status": "won"} => "Sale Date" must be a date; "Value" must be a number
lead.recordSale {"soldOn": "2026-01-31", "status": "won"} => "Value" is empty; "External ID", "Lead ID", "Email" and "Phone" are empty
lead.recordSale {"specifySale": "columns", "status": "won"} => "Sale Date" is empty; "Value" is empty; are empty
lead.update {"leadId": {"__rl": true, "mode": "id", "value": "ana@example.com"}, "updateFields": {"notes": "x"}} => "Lead" is an email, not an ID
contact.update {"contactId": {"__rl": true, "mode": "id", "value": "ana@example.com"}, "updateFields": {"name": "x"}} => "Contact" is an email, not an ID
lead.update {"leadId": "..", "updateFields": {"saleDate": "soon"}} => not an ID; "Sale Date" must be a date
lead.updateStatus {"leadId": ""} => "Lead" is empty; "New Status" is empty
lead.getAll {"limit": "x", "filters": {"createdAfter": "soon"}, "options": {"timeout": "x"}} => "Limit"; "Created After"; "Timeout`),
	)('names every mistake at once: %s %j: %s', (name, { row, ...values }, expected) => {
		const mapping = row ? { specifyLead: 'columns', lead: byName } : {};
		const error = attempt(planned, name, { ...mapping, ...values }, row as object) as InputError;
		expect(error.parts?.map(({ message }) => message)).toEqual(
			expected.split('; ').map((mistake) => expect.stringContaining(mistake) as string),
		);
		// Each with its own way out, which names the field.
		for (const { message, description } of error.parts.length > 1 ? error.parts : []) {
			const [field = ''] = /^"[^"]+"/.exec(message) ?? [];
			const form = `${field && `${escapeRegExp(field)}(?:, "[^"]+")*: `}${escapeRegExp(description)}`;
			expect(error.description).toMatch(new RegExp(form));
		}
	});

	// By what the panel shows: what is missing, the first way out, and what is not in this panel.
	it.each<[string, Values, RegExp, RegExp, RegExp]>([
		['upsert', {}, /^"Email", "Phone" and "External ID" are empty/, /^Give at least one/, /column/],
		[
			'upsert',
			{ specifyLead: 'columns', lead: byName },
			/^The row has no email, no phone and no ID/,
			/^Name the column/,
			/Protocol/,
		],
		[
			'push',
			{ specifyLeads: 'json' },
			/^"Email", "Phone" and "External ID" are empty/,
			/^Give at least one/,
			/column/,
		],
	])('names what this panel has: %s %j', (operation, values, message, wayOut, isElsewhere) => {
		const resource = operation === 'push' ? 'sync' : 'lead';
		const error = attempt(plan, operation, values, resource) as InputError;
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(wayOut);
		expect(error.description).not.toMatch(isElsewhere);
	});

	it.each<[Values, unknown, RegExp, RegExp]>([
		[
			{},
			'',
			/^"New Status" is empty$/,
			/^Give a value for "New Status", such as .*\. Check the value of its expression/,
		],
		[
			{},
			'+0',
			/^"Default Country Code" in the credential must be .*, not "0"$/,
			/^Give the digits/,
		],
		...[
			{ operation: 'upsert', phone: '98765-4321' },
			{ operation: 'get', leadId: locator('emailOrPhone', '98765-4321') },
			{ operation: 'getAll', filters: { phone: '98765-4321' } },
		].map((values): [Values, string, RegExp, RegExp] => [
			values,
			'55',
			/98765-4321/,
			/^Write (it|the phone) with its area code(?!.*default country code)/i,
		]),
	])('says what to do: %j, country code %j', (given, countryCode, message, description) => {
		const { operation = 'updateStatus', ...values } = { leadId: lead, ...given };
		const error = attempt(plan, String(operation), values, 'lead', {}, { countryCode });
		expect(error).toMatchObject({
			message: expect.stringMatching(message),
			description: expect.stringMatching(description),
		});
	});
});

it.each(['55', 55, '+55', '0055', ' + 5 5 ', ' 0055'])(
	'the country code %j counts for phones, dates and numbers',
	(countryCode) => {
		const values = {
			externalId: 'e',
			phone: '11 90000-0001',
			additionalFields: { saleDate: '03/04/2026', estimatedValue: 'R$ 1.500' },
		};
		const body = {
			externalId: 'e',
			contact: { phone: '+5511900000001' },
			saleDate: '2026-04-03T03:00:00.000Z',
			estimatedValue: 1500,
		};
		expect(plan('upsert', values, 'lead', {}, { countryCode }).request.body).toEqual(body);
	},
);

it.each<[string, string, Values]>([
	['lead', 'updateStatus', { leadId: lead, status: 'undefined' }],
	['lead', 'getAll', { filters: { createdAfter: 'ontem' } }],
	['lead', 'getAll', { filters: { email: 'não tem' } }],
	['contact', 'lookup', { phone: '90000-0001' }],
])('%s %s: without a value that cannot be read, another record would be meant: %j', (...given) => {
	const [resource, operation, values] = given;
	expect(() => plan(operation, values, resource)).toThrow(InputError);
});

it.each<[string, string, Values, object]>([
	['lead', 'upsert', { externalId: 'e', additionalFields: { notes: 'None' } }, { notes: 'None' }],
	['interaction', 'create', { leadId: lead, description: 'n/a' }, { description: 'n/a' }],
	['interaction', 'create', { leadId: lead, text: 'n/a' }, { description: 'n/a' }],
	['message', 'create', { conversationId: 'c', content: 'null' }, { content: 'null' }],
])('%s %s: free text may be any word: %j', (resource, operation, values, body) => {
	const given = { type: 'NOTE', ...values };
	expect(plan(operation, given, resource).request.body).toMatchObject(body);
});

it('JSON of the user is an option, and wins over the fields', () => {
	for (const { operations } of Object.values(resources)) {
		for (const { parameters } of Object.values(operations)) {
			expect(parameters.map(({ name }) => name)).not.toContain('additionalBody');
		}
	}
	const additionalBody = { title: 'own', metadata: { own: 1 } };
	const options = { additionalBody, metadata: { result: 'reached' } };
	const values = { leadId: lead, type: 'CALL', title: 'A', options };
	expect(plan('create', values, 'interaction').request.body).toEqual({
		type: 'CALL',
		...additionalBody,
	});
});

describe('the records of a request', () => {
	it.each<[string, Values, string[]]>([
		['get', { leadId: lead }, []],
		['updateStatus', { leadId: lead, status: 'open' }, ['l-1']],
		['removeTag', { leadId: lead, tagId: 't-1' }, ['l-1', 't-1']],
		['upsert', { externalId: 17, protocol: 'ML-1' }, ['17', 'ML-1']],
		['upsert', { externalId: 'same', protocol: 'same' }, ['same']],
		['upsert', { externalId: 'e', email: 'Ana@X.com' }, ['e', 'ana@x.com']],
		['upsert', { externalId: 'e', phone: '+551187654321' }, ['e', '+5511987654321']],
		[
			'upsert',
			{
				externalId: 'e',
				options: { additionalBody: { contact: { phone: ' +55 11 8765-4321 ' } } },
			},
			['e', '+5511987654321'],
		],
		['update', { leadId: lead, updateFields: { externalId: 'e-1' } }, ['l-1', 'e-1']],
		['upsert', { protocol: 'ML-1', options: { additionalBody: '{"externalId": null}' } }, ['ML-1']],
	])('%s %j keeps the order of %j', (operation, values, keys) => {
		expect(recordKeysOf(plan(operation, values))).toEqual(keys);
	});

	it('a contact is known by its addresses, in any spelling', () => {
		const values = { email: 'A@Example.com', phone: '+5511900000001' };
		expect(recordKeysOf(plan('findOrCreate', values, 'contact'))).toEqual(
			expect.arrayContaining(['+5511900000001', 'a@example.com']),
		);
		const { phone } = values;
		expect(recordKeysOf(plan('lookup', { phone }, 'contact'))).toEqual([]);
	});

	it('names the records of the path by their labels', () => {
		const { targets } = plan('removeTag', { leadId: lead, tagId: 't-1' }).errorContext;
		expect(targets).toMatchObject([
			{ label: 'Lead', value: 'l-1' },
			{ label: 'Tag', value: 't-1' },
		]);
		const [hint] = map(targets, 'findHint') as Remedy[];
		expect(remedyFor('panel', hint)).toBe(
			'Lead > Get Many finds its ID. It can also be chosen From List or By External ID or By Email or Phone.',
		);
		expect(remedyFor('model', hint)).toBe('Lead > Get Many finds its ID.');
	});

	it.each<[string, Values, Array<{ label: string; value: string }>]>([
		[
			'update',
			{ leadId: lead, updateFields: { contactId: locator('list', 'c-1') } },
			[
				{ label: 'Lead', value: 'l-1' },
				{ label: 'Contact', value: 'c-1' },
			],
		],
		[
			'upsert',
			{ externalId: 'e', options: { additionalBody: { contactId: 'c-1' } } },
			[{ label: 'Existing Contact', value: 'c-1' }],
		],
		['upsert', { externalId: 'e', additionalFields: { contactId: locator('list', '') } }, []],
	])('a message about %s %j names those that the body refers to', (operation, values, targets) => {
		expect(plan(operation, values).errorContext.targets).toMatchObject(targets);
	});
});

it('a path that cannot be requested is named beside other mistakes', () => {
	const values = { method: 'POST', path: '/../x', body: '{' };
	const refusing = () => plan('request', values, 'apiRequest');
	expect(refusing).toThrow(/"Body".*"Path"|"Path".*"Body"/);
});
