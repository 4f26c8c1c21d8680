import assert from 'node:assert/strict';
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import type { Case } from '../../scripts/lib/cases.mts';
import { BROWSER_ID, OWNER } from '../../scripts/lib/rest.mts';
import type { Workflow } from '../../scripts/lib/workflow.mts';
import { flow, leads, save, type Json, type Place } from './flow.mts';
import type { CaseWorld } from './world.mts';

const NODE = 'Leads';

/** Not a performance limit. */
const EXECUTION_MS = 120_000;
/** Around a picture of the canvas, in pixels: names of nodes and of their outputs are written below and beside them. */
const MARGIN = 48;

/** n8n's editor in Chromium, logged in, with the actions that the cases need. */
export class Editor {
	/** Errors thrown by the page's scripts since the last check. */
	errors: string[] = [];
	readonly page: Page;
	/** The folder for screenshots. */
	readonly output: string;

	constructor(page: Page, output: string) {
		this.page = page;
		this.output = output;
		page.on('pageerror', (error) => this.errors.push(error.stack ?? error.message));
	}

	/** An element by n8n's test ID. */
	element = (testId: string): Locator => this.page.locator(`[data-test-id="${testId}"]`);
	options = (): Locator => this.page.locator('[role="option"]:visible');

	screenshot = async (name: string) =>
		await this.page.screenshot({ path: join(this.output, `${name}.png`), animations: 'disabled' });

	async open(path: string): Promise<void> {
		await this.page.goto(path);
		await this.element('canvas-node').or(this.element('canvas-plus-button')).first().waitFor();
	}

	/** n8n follows the system's theme until its user chooses one. */
	useTheme = async (colorScheme: 'dark' | 'light') => await this.page.emulateMedia({ colorScheme });

	/** Saves a workflow of one node of ours, and opens that node's panel. */
	async openNode(place: Place, operation: string, parameters?: Json): Promise<void> {
		await this.openNodeOf(place, flow('Panel', leads(NODE, operation, parameters)), NODE);
	}

	/** Opens the panel of a node of this workflow, which is saved first. */
	async openNodeOf(place: Place, workflow: Workflow, node: string): Promise<void> {
		const { id } = await save(place, workflow);
		await this.open(`/workflow/${id}`);
		await this.openPanel(node);
	}

	/** Opens the panel of a node on the canvas. */
	async openPanel(node: string): Promise<void> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${node}"]`).dblclick();
		await this.element('ndv').waitFor();
	}

	async closePanel(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.element('ndv').waitFor({ state: 'hidden' });
	}

	/** Saves these values in the credential dialog and waits for the confirmation. Reopens the dialog if n8n closes it. */
	async saveCredential(values: Record<string, string>, says: RegExp): Promise<string> {
		const dialog = this.element('credential-edit-dialog');
		for (const [name, value] of Object.entries(values)) {
			await dialog.locator(`[data-test-id="parameter-input-${name}"] input`).fill(value);
		}
		await this.element('credential-save-button').click();
		const more = dialog.getByText('More details');
		const said = dialog.getByText(says).filter({ visible: true });
		await Promise.any([more.or(said).first().waitFor(), dialog.waitFor({ state: 'hidden' })]);
		if (await dialog.isHidden()) await this.element('credential-edit-button').click();
		else if (await more.isVisible()) await more.click();
		await said.first().waitFor();
		return await dialog.innerText();
	}

	async executeNode(): Promise<void> {
		const button = this.element('node-execute-button');
		await button.click();
		await button.getByText('Execute step').waitFor();
	}

	/** Clicks "Execute workflow", and waits for n8n's message that it succeeded. */
	async executeWorkflow(): Promise<void> {
		await this.element('execute-workflow-button').click();
		const success = this.page.getByText('Workflow executed successfully').first();
		await success.waitFor({ timeout: EXECUTION_MS });
		await this.dismissMessages();
	}

	/** What was pasted is selected, until somebody clicks beside it. */
	async unselect(): Promise<void> {
		await this.fitCanvas();
		await this.page.locator('.vue-flow__pane').click({ position: { x: 5, y: 5 } });
	}

	/** Shows the whole workflow. */
	async fitCanvas(): Promise<void> {
		await this.page.keyboard.press('1');
		// n8n moves the canvas in an animation.
		await this.element('canvas-node')
			.first()
			.evaluate(async (node) => {
				const left = () => node.getBoundingClientRect().left;
				let before: number;
				do {
					before = left();
					await new Promise((resolve) => setTimeout(resolve, 500));
				} while (left() !== before);
			});
	}

	/** A picture of the nodes and notes on the canvas, without the rest of the page. */
	async canvasPicture(name: string): Promise<void> {
		await this.fitCanvas();
		const boxes = await this.page
			.locator('.vue-flow__node, [data-test-id="canvas-handle-plus-wrapper"]')
			.evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect()));
		const x = Math.min(...boxes.map(({ left }) => left)) - MARGIN;
		const y = Math.min(...boxes.map(({ top }) => top)) - MARGIN;
		const width = Math.max(...boxes.map(({ right }) => right)) + 2 * MARGIN - x;
		const height = Math.max(...boxes.map(({ bottom }) => bottom)) + 2 * MARGIN - y;
		const clip = { x, y, width, height };
		await this.page.screenshot({ path: join(this.output, `${name}.png`), clip });
	}

	/** Chooses what a resource locator lists under this text. */
	async chooseFromList(parameter: string, search: string, text: string): Promise<void> {
		await this.element(`parameter-input-${parameter}`)
			.locator('[data-test-id="rlc-input-container"]')
			.click();
		await this.element('rlc-item').first().waitFor();
		const box = this.element('rlc-search');
		await box.locator('input').or(box).last().fill(search);
		await this.element('rlc-item').filter({ hasText: text }).first().click();
	}

	/** Closes n8n's notifications before a screenshot. */
	async dismissMessages(): Promise<void> {
		const close = this.page.locator('.el-notification__closeBtn');
		for (let left = await close.count(); left > 0; left -= 1) await close.first().click();
		await close.first().waitFor({ state: 'detached' });
	}

	/** Pastes text without a clipboard, which a headless browser may not have. */
	async paste(text: string): Promise<void> {
		await this.page.evaluate((pasted) => {
			const clipboardData = new DataTransfer();
			clipboardData.setData('text/plain', pasted);
			document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
		}, text);
	}
}

/** What the editor is opened in. */
export interface EditorWorld extends Pick<CaseWorld, 'chromium' | 'n8n' | 'output' | 'closing'> {
	editor?: Promise<Editor>;
}

/** A case that ends with a screenshot, and also fails if the page's scripts threw an error. */
export const inEditor = (
	name: string,
	picture: string,
	run: (editor: Editor, world: CaseWorld) => Promise<void>,
): Case<CaseWorld> => ({
	name,
	async run(world) {
		const editor = await openEditor(world);
		editor.errors = [];
		try {
			await run(editor, world);
			await editor.screenshot(picture);
		} catch (error) {
			await editor.screenshot(`failed-${picture}`);
			throw error;
		}
		assert.deepEqual(editor.errors, [], 'the page threw errors');
	},
});

/** The editor, started by the first case that needs it and shared by all. */
export async function openEditor(world: EditorWorld): Promise<Editor> {
	world.editor ??= startEditor(world);
	return await world.editor;
}

async function startEditor({
	chromium: executablePath,
	n8n,
	output,
	closing,
}: EditorWorld): Promise<Editor> {
	if (!executablePath) {
		throw new Error('No Chromium found. Install one, or name its file in CHROMIUM_PATH.');
	}
	const { chromium } = await import('playwright-core');
	const browser = await chromium.launch({
		executablePath,
		args: [
			// Chromium's own sandbox does not start as root, nor in most containers; only n8n is opened.
			'--no-sandbox',
			'--disable-gpu',
			// Nothing outside of this machine. Intercepting requests instead would switch off the cache, and load n8n's
			// editor anew for each case.
			`--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${new URL(n8n.url).hostname}`,
		],
		// This process handles signals, so that everything is stopped in order, the browser too.
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
	});
	closing.push(async () => await browser.close());
	const context = await browser.newContext({
		baseURL: n8n.url,
		viewport: { width: 1440, height: 900 },
	});
	// tsx names the functions inside of those that are sent to the page with this function of its own.
	await context.addInitScript('globalThis.__name = (named) => named');
	await context.addInitScript((id) => localStorage.setItem('n8n-browserId', id), BROWSER_ID);
	await context.request.post('/rest/login', {
		headers: { 'browser-id': BROWSER_ID },
		data: { emailOrLdapLoginId: OWNER.email, password: OWNER.password },
		failOnStatusCode: true,
	});
	return new Editor(await context.newPage(), output);
}
