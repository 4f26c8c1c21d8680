/** What n8n's editor makes of the nodes: fields, lists and messages as their user sees them. */
import assert from 'node:assert/strict';

import type { Case } from '../../scripts/lib/cases.mts';
import { agentWith, tool } from './agent.mts';
import { inEditor } from './editor.mts';
import { flow, leads, save } from './flow.mts';
import { loadedNode } from './loading.mts';
import type { ShownLead } from './records.mts';
import { watchedLeads } from './trigger.mts';
import type { CaseWorld } from './world.mts';

export const needsBrowser = true;

/** Each resource with its default operation. */
async function defaultOperations(world: CaseWorld): Promise<Array<[string, string]>> {
	const { properties } = await loadedNode(world);
	return properties
		.filter(({ name }) => name === 'operation')
		.map(({ displayOptions, default: operation }) => [
			displayOptions?.show?.resource?.[0] ?? '',
			String(operation),
		]);
}

/** With a picture of each. */
const everyPanel = (theme: 'dark' | 'light') =>
	inEditor(`every panel opens, ${theme}`, `${theme}-trigger`, async (editor, world) => {
		await editor.useTheme(theme);
		// Tall enough for the longest panel.
		await editor.page.setViewportSize({ width: 1440, height: 1200 });
		const panels = await defaultOperations(world);
		assert.equal(panels.length, 8);
		const steps = panels.map(([resource, operation]) => leads(resource, operation, { resource }));
		const workflow = flow('Panels', ...steps);
		const [trigger] = watchedLeads({ pollTimes: { item: [{ mode: 'everyMinute' }] } }).nodes;
		workflow.nodes.push({ ...trigger, position: [0, 220] });
		const { id } = await save(world, workflow);
		await editor.open(`/workflow/${id}`);
		await editor.fitCanvas();
		for (const [resource] of panels) {
			await editor.openPanel(resource);
			await editor.element('parameter-input-operation').waitFor();
			await editor.screenshot(`${theme}-${resource}`);
			await editor.closePanel();
		}
		await editor.openPanel(trigger.name);
		await editor.element('parameter-input-triggerOn').waitFor();
	});

export const cases: Array<Case<CaseWorld>> = [
	// The picture of the README.
	inEditor('a lead is created by external ID', 'panel', async (editor, world) => {
		await editor.openNode(world, 'upsert', {
			externalId: 'conversation-000123',
			name: 'Contact 000123',
			phone: '+5511900000123',
			additionalFields: { source: 'whatsapp', tags: 'spring campaign' },
		});
		await editor.executeNode();
		const output = editor.element('output-panel');
		await output.getByText('conversation-000123').first().waitFor();
		await editor.element('radio-button-json').last().click();
		await output.getByText('"spring campaign"').first().waitFor();
		await editor.dismissMessages();
	}),

	inEditor(
		'leads mapped by hand begin with who they are and offer the other fields',
		'push-by-hand',
		async (editor, world) => {
			await editor.openNode(world, 'push', { resource: 'sync' });
			await editor.element('mapping-mode-select').locator('input').click();
			await editor.options().filter({ hasText: 'Manually' }).click();
			const fields = editor.element('mapping-fields-container');
			const mapped = fields.locator('[data-test-id^="parameter-input-"] input');
			await mapped.first().fill('panel-3');
			assert.equal(await mapped.count(), 4, 'External ID, Name, Email and Phone to begin with');
			await mapped.nth(2).fill('panel.3@example.com');
			const add = 'Add field to send';
			await fields.getByText(add).or(fields.getByPlaceholder(add)).click();
			await editor.page.getByText('Estimated Value', { exact: true }).click();
			await mapped.nth(4).fill('R$ 1.500,50');
			await editor.executeNode();
			await editor.element('output-panel').getByText('panel-3').first().waitFor();
			const { contact, estimatedValue } = await world.sandbox.get<ShownLead>('/leads/panel-3');
			assert.deepEqual([contact?.email, estimatedValue], ['panel.3@example.com', 1500.5]);
		},
	),

	inEditor(
		'another operation keeps what its output holds, which a page of a form shows',
		'other-operation',
		async (editor, world) => {
			const options = { output: 'inputWithResult' };
			await editor.openNode(world, 'push', { resource: 'sync', options });
			for (const [parameter, entry] of [
				['resource', 'Lead'],
				['operation', 'Create or Update'],
				['specifyLead', 'Using Columns of the Input'],
			]) {
				await editor.element(`parameter-input-${parameter}`).click();
				await editor.options().getByText(entry, { exact: true }).click();
			}
			await editor.executeNode();
			await editor.element('output-panel').getByText('refused: ').first().waitFor();
		},
	),

	inEditor(
		'a tool is described by its operation, in a text that follows it',
		'tool',
		async (editor, world) => {
			const workflow = agentWith(tool('Lead tool', { resource: 'lead', operation: 'get' }));
			await editor.openNodeOf(world, workflow, 'Lead tool');
			const told = editor.element('parameter-input-toolDescription').locator('textarea');
			assert.match(await told.inputValue(), /^Get one lead by its ID/);
			await editor.element('parameter-input-operation').click();
			await editor.options().getByText('Update Status', { exact: true }).click();
			await editor.element('parameter-input-status').locator('input[type="text"]').waitFor();
			assert.match(await told.inputValue(), /^Change the status of a lead\. Use it /);
		},
	),

	everyPanel('dark'),
	everyPanel('light'),
];
