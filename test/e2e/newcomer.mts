/** The first steps of a new user, in order. */
import assert from 'node:assert/strict';

import type { Case } from '../../scripts/lib/cases.mts';
import { inEditor, type Editor } from './editor.mts';
import { flow, includes, leads, recordsAt, save } from './flow.mts';
import type { ListedLead, ShownContact, ShownInteraction, ShownLead } from './records.mts';
import type { CaseWorld } from './world.mts';

export const needsBrowser = true;

declare global {
	/** In the page: how often the mouse was clicked since {@link chooseAction} opened the canvas. */
	var clicks: number;
}
const clicks = async ({ page }: Editor) => await page.evaluate(() => globalThis.clicks);

/** The panel of a node of ours that was chosen by its action, after searching for "lead". */
async function chooseAction(editor: Editor, action: string): Promise<void> {
	await editor.open('/workflow/new');
	await editor.page.evaluate(() => {
		globalThis.clicks = 0;
		document.addEventListener('pointerdown', () => (globalThis.clicks += 1), true);
	});
	await editor.element('canvas-plus-button').first().click();
	const creator = editor.element('node-creator');
	await creator.locator('input').first().fill('lead');
	const found = creator.getByText('Integration Leads', { exact: true });
	await found.first().waitFor();
	await editor.screenshot('newcomer-search');
	assert.equal(await found.count(), 1, 'the node and its trigger are one entry');
	await found.click();
	await creator.getByText(/^Actions \(\d+\)$/).click();
	await creator.getByText('Create contact', { exact: true }).waitFor();
	await creator.getByText('On lead status changed', { exact: true }).waitFor();
	await editor.screenshot('newcomer-actions');
	await creator.getByText(action, { exact: true }).click();
	await editor.element('ndv').waitFor();
}

export const cases: Array<Case<CaseWorld>> = [
	inEditor(
		'the node is found by typing "lead", and an action of it makes a lead with seven clicks',
		'newcomer-first-lead',
		async (editor, { sandbox, credential }) => {
			await chooseAction(editor, 'Create or update lead');
			const choosing = await clicks(editor);
			// n8n selects the newest credential, which belongs to another case.
			await editor.element('node-credentials-select').click();
			await editor.options().getByText(credential.name, { exact: true }).click();
			const others = (await clicks(editor)) - choosing;
			const values = { externalId: 'first-lead', name: 'Example Contact' };
			for (const [name, value] of Object.entries(values)) {
				const field = editor.element(`parameter-input-${name}`).locator('input');
				await field.click();
				await field.fill(value);
			}
			await editor.screenshot('newcomer-form');
			await editor.executeNode();
			assert.equal((await clicks(editor)) - others, 7);
			await editor.element('output-panel').getByText('first-lead').first().waitFor();
			const { contact } = await sandbox.get<ShownLead>('/leads/first-lead');
			includes(contact, { name: 'Example Contact' });
		},
	),

	inEditor(
		'a new credential is corrected by what its test says',
		'newcomer-credential',
		async (editor, world) => {
			await chooseAction(editor, 'Get lead');
			await editor.element('node-credentials-select').click();
			await editor.element('node-credentials-select-item-new').click();
			await editor.element('credential-edit-dialog').waitFor();
			const { sandbox, keys } = world;
			const attempts: Array<[name: string, values: Record<string, string>, says: RegExp]> = [
				['unknown-key', { baseUrl: sandbox.url, apiKey: 'sk_test_mistyped' }, /was not accepted/],
				['works', { apiKey: keys.full }, /Connection tested successfully/],
			];
			for (const [name, values, says] of attempts) {
				const said = await editor.saveCredential(values, says);
				await editor.screenshot(`credential-${name}`);
				for (const key of Object.values(keys)) assert.ok(!said.includes(key));
			}
		},
	),

	// The picture of the recipe.
	inEditor(
		'a form and a node behind it make a lead, with a note of what no field takes',
		'n8n-form',
		async (editor, world) => {
			const answers: Record<string, string> = {
				Name: 'Example Contact',
				'E-mail': 'form@example.com',
				WhatsApp: '+55 11 97000-0042',
				'What are you looking for?': 'A house with a garden',
			};
			const fields = Object.keys(answers).map((fieldLabel) => ({ fieldLabel }));
			const form = {
				name: 'On form submission',
				type: 'n8n-nodes-base.formTrigger',
				typeVersion: 2.2,
				webhookId: 'newcomer-form',
				parameters: { formTitle: 'Ask us', formFields: { values: fields }, options: {} },
			};
			const upsert = leads('Create or update lead', 'upsert', { specifyLead: 'columns' });
			const workflow = flow('Form', form, upsert);
			// The form starts it.
			const [start, ...nodes] = workflow.nodes;
			delete workflow.connections[start.name];
			const { id } = await save(world, { ...workflow, nodes });
			await editor.open(`/workflow/${id}`);
			const opened = editor.page.waitForEvent('popup');
			await editor.element('execute-workflow-button').click();
			const page = await opened;
			for (const [label, answer] of Object.entries(answers)) {
				await page.getByLabel(label).fill(answer);
			}
			await page.getByRole('button', { name: 'Submit' }).click();
			const success = editor.page.getByText('Workflow executed successfully').first();
			await success.waitFor();
			await page.close();
			await success.waitFor({ state: 'detached' });
			await editor.openPanel(upsert.name);
			await editor.element('radio-button-json').last().click();
			await editor.element('output-panel').getByText('"noted"').first().waitFor();
			const [{ id: leadId }] = await recordsAt<ListedLead>(world, '/leads?search=form@example.com');
			const [note] = await recordsAt<ShownInteraction>(world, `/leads/${leadId}/interactions`);
			assert.equal(note.description, 'What are you looking for? A house with a garden');
		},
	),

	inEditor(
		'a lead is picked from the list by searching, and read',
		'newcomer-picked',
		async (editor, world) => {
			// Of a contact that has no other lead.
			const contact = { name: 'Contact to Pick', email: 'to.pick@example.com' };
			const made = await world.sandbox.post<ShownContact>('/contacts', contact);
			const { id } = await world.sandbox.control('createLead', { contactId: made.id });
			await editor.openNode(world, 'get');
			await editor.chooseFromList('leadId', contact.email, contact.name);
			await editor.executeNode();
			await editor.element('output-panel').getByText(id).first().waitFor();
		},
	),
];
