/**
 * The package as users get it: installed, updated and uninstalled with clicks in n8n's settings, in an n8n of its own,
 * from a stand-in of npm's registry.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';

import { withCredential } from '../../scripts/lib/examples.mjs';
import { prepareHome, startN8n } from '../../scripts/lib/n8n.mjs';
import { freePort } from '../../scripts/lib/ports.mjs';
import { manifest } from '../../scripts/lib/repository.mjs';
import { N8nClient } from '../../scripts/lib/rest.mjs';
import { createLeadsCredential } from '../../scripts/lib/world.mjs';
import { inEditor } from './editor.mjs';
import { Registry, npmSettings, packAs } from './registry.mjs';
import { HANG_MS, arrived, checkEvents, eventsOf, watchedLeads } from './trigger.mjs';

export const needsBrowser = true;

const { name, version } = manifest;
const NEXT = version.replace(/\d+$/, (patch) => Number(patch) + 1);

/** Not a performance limit: npm downloads, installs, and n8n loads what came. */
const NPM = { timeout: 120_000 };

/** n8n's page *Settings > Community nodes*. */
class CommunityNodes {
	constructor(editor) {
		this.editor = editor;
		this.card = editor.element('community-package-card').filter({ hasText: name });
	}

	async install(latest) {
		await this.#open();
		await this.#button(/^Install/).click();
		await this.editor.page.locator('input[name="packageNameInput"]').fill(name);
		await this.editor.element('user-agreement-checkbox').click();
		await this.editor.screenshot('installation-dialog');
		await this.editor.element('install-community-package-button').click();
		await this.#shows(latest);
	}

	async update(latest) {
		await this.#open();
		await this.card.getByText('Update').click();
		await this.editor.screenshot('installation-update');
		await this.#button('Confirm update').click();
		await this.#shows(latest);
	}

	async uninstall() {
		await this.#open();
		await this.card.locator('[data-test-id="action-toggle"]').click();
		await this.editor.page.getByText('Uninstall').click();
		await this.#button('Confirm uninstall').click();
		await this.card.waitFor({ state: 'detached', ...NPM });
	}

	async #open() {
		// The page asks there how many packages exist.
		await this.editor.page.route('https://api.npms.io/**', async (route) => {
			const headers = { 'access-control-allow-origin': '*' };
			await route.fulfill({ headers, json: { total: 0, results: [] } });
		});
		await this.editor.page.goto('/settings/community-nodes');
		await this.#button(/^Install/).waitFor(NPM);
	}

	#button = (text) => this.editor.page.getByRole('button', { name: text });
	#shows = async (installed) => await this.card.getByText(`v${installed}`).waitFor(NPM);
}

/** From the first click to the second installation, with a lead before and after each step. */
async function life(editor, { client, sandbox, registry, next }) {
	const packages = new CommunityNodes(editor);
	await packages.install(version);
	const credential = await createLeadsCredential(client, sandbox);
	const { id } = await client.createWorkflow(withCredential(watchedLeads(), credential));
	await client.publishWorkflow(id);
	const leads = { events: async () => await eventsOf(client, id) };
	const create = async (externalId) => await sandbox.control('createLead', { externalId });
	const announced = (count) =>
		Array.from({ length: count }, (_, n) => `lead.created installed-${n + 1}  open`);

	await create('installed-1');
	checkEvents(await arrived(leads, 1), announced(1));

	registry.publish(next, NEXT);
	await create('installed-2');
	await packages.update(NEXT);
	await create('installed-3');
	checkEvents(await arrived(leads, 3), announced(3));

	await packages.uninstall();
	await create('installed-4');
	// Polls fail while the package is missing, and must not count as delivered.
	await arrived(leads, 3);
	checkEvents(await leads.events(), announced(3));
	await packages.install(NEXT);
	await create('installed-5');
	checkEvents(await arrived(leads, 5), announced(5));
}

/** An n8n without the package, and a registry that has its first version. */
async function withNewN8n(world, run) {
	const registry = new Registry(world.standIns);
	registry.publish(world.tarball, version);
	const next = await packAs(world.tarball, NEXT);
	const n8n = await startN8n(world.host, await prepareHome(), {
		port: await freePort(),
		brokerPort: await freePort(),
		log: join(world.output, 'n8n-installation.log'),
		settings: { ...world.standIns.settings, ...npmSettings() },
	});
	try {
		const client = new N8nClient(n8n.url);
		await client.setUpOwner();
		await run({ ...world, n8n, client, registry, next, editor: undefined });
		const tarballs = world.standIns.requests
			.map(({ path }) => path)
			.filter((p) => /\.tgz$/.test(p));
		assert.equal(tarballs.length, 3, 'each installation and the update download the package');
	} finally {
		await n8n.stop();
	}
}

const inSettings = inEditor(
	'installed, updated, uninstalled and installed again by clicks, while a trigger misses nothing',
	'installation',
	life,
);

export const cases = [
	{
		...inSettings,
		hangMs: HANG_MS,
		run: async (world) => await withNewN8n(world, inSettings.run),
	},
];
