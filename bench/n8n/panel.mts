import { mkdirSync } from 'node:fs';

import type { CDPSession } from 'playwright-core';

import { findChromium } from '../../scripts/lib/chromium.mts';
import { fromRoot } from '../../scripts/lib/repository.mts';
import type { Credential, Workflow, WorkflowNode } from '../../scripts/lib/workflow.mts';
import { openEditor, type Editor, type EditorWorld } from '../../test/e2e/editor.mts';
import { flow, leads, save } from '../../test/e2e/flow.mts';
import { medians, type PanelFigures } from './figures.mts';
import type { BenchWorld } from './world.mts';

const HUBSPOT_CREDENTIAL = 'hubspotAppToken';

/** The nodes as added to a workflow, each with a credential chosen. */
async function nodesOf({ client, headerCredential }: BenchWorld): Promise<WorkflowNode[]> {
	const token = { appToken: 'token-of-the-benchmark' };
	const hubspot = await client.createCredential('HubSpot', HUBSPOT_CREDENTIAL, token);
	const chosen = ({ type, id, name }: Credential) => ({ [type]: { id, name } });
	return [
		leads('Ours', 'upsert'),
		{
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
			credentials: chosen(headerCredential),
		},
		{
			name: 'HubSpot',
			type: 'n8n-nodes-base.hubspot',
			typeVersion: 2.2,
			parameters: { authentication: 'appToken' },
			credentials: chosen(hubspot),
		},
	];
}

/** All of them after the start, since what stands before a node is shown in its panel, too. */
function sideBySide(nodes: WorkflowNode[]): Workflow {
	const { connections, ...workflow } = flow('Panels', ...nodes);
	const next = nodes.map(({ name: node }) => ({ node, type: 'main', index: 0 }));
	return { ...workflow, connections: { [workflow.nodes[0].name]: { main: [next] } } };
}

/** Runs in the page: milliseconds from a double click to the last parameter that appears. */
async function timeOpening(): Promise<number> {
	const QUIET_MS = 400;
	const frame = () => new Promise(requestAnimationFrame);
	const begun = await new Promise<number>((resolve) =>
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

/** Milliseconds of CPU time that the pages of the browser have taken so far. */
async function cpuTime(browserSession: CDPSession): Promise<number> {
	const { processInfo } = await browserSession.send('SystemInfo.getProcessInfo');
	const pages = processInfo.filter(({ type }) => type === 'renderer');
	return 1000 * pages.reduce((sum, { cpuTime: seconds }) => sum + seconds, 0);
}

async function openOnce(
	editor: Editor,
	name: string,
	browserSession: CDPSession,
): Promise<PanelFigures> {
	const before = await cpuTime(browserSession);
	const timing = editor.page.evaluate(timeOpening);
	await editor.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
	const wall = await timing;
	const cpu = (await cpuTime(browserSession)) - before;
	await editor.page.keyboard.press('Escape');
	await editor.element('ndv').waitFor({ state: 'hidden' });
	return { wall, cpu };
}

/**
 * Opens the panels in turn. CPU time shows what a panel costs on a machine that does other things as well: the more
 * fields it shows, the longer it waits for its turn.
 * @returns medians by node
 */
export async function measurePanels(
	world: BenchWorld,
	rounds: number,
): Promise<Record<string, PanelFigures>> {
	const output = fromRoot('.e2e');
	mkdirSync(output, { recursive: true });
	const closing: EditorWorld['closing'] = [];
	const editor = await openEditor({ n8n: world.n8n, chromium: findChromium(), output, closing });
	const browser = editor.page.context().browser();
	if (!browser) throw new Error('The page has no browser');
	const browserSession = await browser.newBrowserCDPSession();
	const nodes = await nodesOf(world);
	const { id } = await save(world, sideBySide(nodes));
	await editor.open(`/workflow/${id}`);
	const taken = nodes.map(({ name }) => ({ name, each: new Array<PanelFigures>() }));
	// The first round loads what the editor loads once.
	for (let round = 0; round <= rounds; round += 1) {
		for (const { name, each } of taken) {
			const opened = await openOnce(editor, name, browserSession);
			if (round > 0) each.push(opened);
		}
	}
	for (const close of closing) await close();
	return Object.fromEntries(taken.map(({ name, each }) => [name, medians(each)]));
}
