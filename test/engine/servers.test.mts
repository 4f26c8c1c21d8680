/** A wrong server is not blamed on the data, nor on the key: what people read where the base URL leads elsewhere. */
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { engineWith } from '../helpers/engine.mts';
import { by, called, useLab } from '../helpers/lab.mts';

let server: Server;
let answer: [status: number, type: string, body: string];
const lab = useLab({ seed: 2 });

beforeAll(async () => {
	server = createServer((_, response) => {
		const [status, type, body] = answer;
		response.writeHead(status, { 'Content-Type': type }).end(body);
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
});
afterAll(() => server.close());

const there = () => {
	const { port } = server.address() as AddressInfo;
	const baseUrl = `http://127.0.0.1:${port}`;
	return { baseUrl, engine: engineWith({ baseUrl, apiKey: 'sk_live_x' }) };
};
const OPERATIONS = [
	['lead.upsert', { externalId: 'e' }],
	['lead.get', { leadId: by('id', 'l-1') }],
	['lead.getAll', {}],
	['sync.push', { specifyLeads: 'json', leadJson: '{"externalId": "e"}' }],
] as const;
const [HTML, JSON_TYPE] = ['text/html', 'application/json'];

test.each<typeof answer>([
	// The base URL is n8n's own: the page of its editor, and its public API (n8n 2.41.1).
	[
		200,
		HTML,
		'<!DOCTYPE html><html><head><title>n8n.io - Workflow Automation</title></head></html>',
	],
	[404, JSON_TYPE, '{"message":"not found"}'],
	[401, JSON_TYPE, `{"message":"'X-N8N-API-KEY' header required"}`],
	[404, HTML, '<pre>Cannot POST /api/v1/integration/leads</pre>'],
	[404, JSON_TYPE, '{"message":"Route GET:/x not found","error":"Not Found","statusCode":404}'],
	[403, HTML, '<html><title>403 Forbidden</title></html>'],
	[405, HTML, '<html><title>405 Not Allowed</title></html>'],
	[404, 'text/plain', ''],
])('%d %s %s', async (...given) => {
	answer = given;
	for (const [operation, parameters] of OPERATIONS) {
		const { baseUrl, engine } = there();
		const { error } = await engine.run(called(operation, parameters));
		expect(error?.message).toMatch(
			/^The answer did not come from the leads service$|^The server at the base URL may not be the leads service \(HTTP 4\d\d\)$/,
		);
		expect(error?.description).toMatch(
			new RegExp(`^(The|Check the) base URL of the credential, ${baseUrl}`),
		);
	}
});

test('a server that has answered as the service is the service, whatever form a refusal has', async () => {
	const run = async () => await lab.engine.run(called('lead.get', { leadId: by('id', 'l-1') }));
	await lab.engine.run({ operation: 'getAll' });
	lab.sandbox.controls.fault({ kind: 'status', status: 404, body: { message: 'not found' } });
	expect((await run()).error?.message).toBe('Lead "l-1" was not found');
});
