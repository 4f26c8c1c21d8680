import { mkdirSync } from 'node:fs';

import { findChromium } from '../../scripts/lib/chromium.mjs';
import { fromRoot } from '../../scripts/lib/repository.mjs';
import { openEditor } from '../../test/e2e/editor.mjs';
import { flow, leads, save } from '../../test/e2e/flow.mjs';
import { median } from './figures.mjs';

const OURS = 'Ours';
const nodeOf = (name, type, typeVersion) => ({ name, type, typeVersion, parameters: {} });
const NODES = [
	leads(OURS, 'upsert'),
	nodeOf('HTTP Request', 'n8n-nodes-base.httpRequest', 4.2),
	nodeOf('HubSpot', 'n8n-nodes-base.hubspot', 2.2),
];

/** Runs in the page: milliseconds from a double click to the last parameter that appears. */
async function timeOpening() {
	const QUIET_MS = 400;
	const frame = () => new Promise(requestAnimationFrame);
	const begun = await new Promise((resolve) =>
		document.addEventListener('dblclick', () => resolve(performance.now()), {
			capture: true,
			once: true,
		}),
	);
	let [count, changed] = [0, performance.now()];
	while (count === 0 || performance.now() - changed < QUIET_MS) {
		await frame();
		const parameters = document.querySelectorAll(
			'[data-test-id="ndv"] [data-test-id^="parameter-input-"]',
		);
		if (parameters.length === count) continue;
		count = parameters.length;
		// Drawn in this frame, so seen with the next.
		await frame();
		changed = performance.now();
	}
	return changed - begun;
}

async function openOnce(editor, name) {
	const timing = editor.page.evaluate(timeOpening);
	await editor.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
	const taken = await timing;
	await editor.page.keyboard.press('Escape');
	await editor.element('ndv').waitFor({ state: 'hidden' });
	return taken;
}

/** Opens the panels in turn. @returns {Promise<Record<string, number>>} median milliseconds of each */
export async function measurePanels(arena, rounds) {
	const output = fromRoot('.e2e');
	mkdirSync(output, { recursive: true });
	const world = { ...arena, chromium: findChromium(), output, closing: [] };
	const editor = await openEditor(world);
	const { id } = await save(world, flow('Panels', ...NODES));
	await editor.open(`/workflow/${id}`);
	const taken = NODES.map(({ name }) => [name, []]);
	// The first round loads what the editor loads once.
	for (let round = 0; round <= rounds; round += 1) {
		for (const [name, each] of taken) {
			const ms = await openOnce(editor, name);
			if (round > 0) each.push(ms);
		}
	}
	for (const close of world.closing) await close();
	return Object.fromEntries(taken.map(([name, each]) => [name, median(each)]));
}
