/** The example "Checkout → leads", from webhooks as services send them to the sales of leads. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';

import { withCredential } from '../../scripts/lib/examples.mts';
import { fromRoot } from '../../scripts/lib/repository.mts';
import { casesOf, errorOf, exampleNamed, includes, itemsOf, jsonOf, succeeded } from './flow.mts';
import type { ShownLead } from './records.mts';
import type { CaseWorld } from './world.mts';
import { post } from './whatsappWorld.mts';

const FOLDER = fromRoot('test/checkouts');

/** A payload that others published, by a part of its source. */
function published(source: string): Record<string, unknown> {
	const lines = readdirSync(FOLDER).flatMap((file) =>
		readFileSync(`${FOLDER}/${file}`, 'utf8').trim().split('\n'),
	);
	const rows = lines.map((line) => JSON.parse(line) as { source: string; body: object });
	const { body } = rows.find((row) => row.source.includes(source))!;
	return { ...body };
}

const SALES: Array<[source: string, email: string, value: number]> = [
	['test_curl_webhook.sh', 'teste@exemplo.com', 287],
	['purchase-approved.json as above', 'ana@example.com', 91.49],
	['ResponsePagSeguro.md, card', 'william@example.com', 1],
];

async function begin({ client, credential }: CaseWorld) {
	const example = withCredential(structuredClone(exampleNamed('Checkout → leads')), credential);
	const { id } = await client.createWorkflow(example);
	await client.publishWorkflow(id);
	let last: string | undefined;
	return async (body: object) => {
		await post(`${client.url}/webhook/checkout`, body);
		const execution = await client.nextExecution(id, last);
		last = execution.id;
		return execution;
	};
}

export const cases = casesOf({
	async '"Checkout → leads" records what is a sale, marks what is taken back, and nothing else'(
		world: CaseWorld,
	) {
		const deliver = await begin(world);
		const leadOf = async (email: string) =>
			await world.sandbox.get<ShownLead>(`/leads/${encodeURIComponent(email)}`);
		for (const [source, email, value] of SALES) {
			for (const already of [false, true]) {
				const execution = succeeded(await deliver(published(source)));
				const [item] = jsonOf(execution, 'Record the sale');
				includes(item, { sale: 'sale', alreadyRecorded: already });
			}
			includes(await leadOf(email), { status: 'closed_won', estimatedValue: value });
		}
		// n8n's own item has the body of this one in it.
		const invoice = structuredClone(published('stripe-subscription-paid').body) as {
			data: { object: { customer_phone?: string } };
		};
		// A lead of the sandbox has its phone, and would get the sale.
		delete invoice.data.object.customer_phone;
		succeeded(await deliver(invoice));
		includes(await leadOf('maria@example.com'), { estimatedValue: 29.9 });
		const waiting = succeeded(await deliver(published('myeduzz-invoice-negotiated')));
		includes(jsonOf(waiting, 'Record the sale')[0], { sale: 'waiting', service: 'Eduzz' });
		const refused = await deliver(published('new-paid-order'));
		assert.match(errorOf(refused)?.message ?? '', /of Shopify is in USD/);
		const refund = published('test_curl_webhook.sh');
		const data = structuredClone(refund.data) as { purchase: { status: string } };
		data.purchase.status = 'REFUNDED';
		const taken = succeeded(await deliver({ ...refund, event: 'PURCHASE_REFUNDED', data }));
		assert.equal(itemsOf(taken, 'Sale taken back').length, 1);
		includes(await leadOf('teste@exemplo.com'), { tags: ['Sale taken back'] });
		data.purchase.status = 'PARTIALLY_REFUNDED';
		const partly = succeeded(await deliver({ ...refund, event: 'PURCHASE_REFUNDED', data }));
		assert.equal(itemsOf(partly, 'Sale taken back').length, 1);
	},
});
