/** Screenshots of every panel in both themes of n8n. */
import assert from 'node:assert/strict';

import { nodeType } from '../../scripts/lib/repository.mjs';
import { inEditor } from './editor.mjs';
import { flow, leads, save } from './flow.mjs';
import { watchedLeads } from './trigger.mjs';

export const needsBrowser = true;

const THEMES = ['light', 'dark'];

/** Each resource with its default operation. */
async function defaultOperations({ client }) {
	const { properties } = (await client.nodeTypes()).find(({ name }) => name === nodeType);
	return properties
		.filter(({ name }) => name === 'operation')
		.map(({ displayOptions, default: operation }) => [displayOptions.show.resource[0], operation]);
}

/** Of the text of the page, from 0 to 255: bright text stands on a dark ground. Not every n8n states its colour scheme. */
const textBrightness = async ({ page }) =>
	await page.evaluate(() => {
		const pen = document.createElement('canvas').getContext('2d');
		pen.fillStyle = getComputedStyle(document.body).color;
		pen.fillRect(0, 0, 1, 1);
		return pen.getImageData(0, 0, 1, 1).data[0];
	});

export const cases = THEMES.map((theme) =>
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
		assert.equal((await textBrightness(editor)) > 128 ? 'dark' : 'light', theme);
	}),
);
