import { readArguments, wholeNumber } from '../lib/arguments.mts';
import { runCommand } from '../lib/command.mts';
import {
	missingChoice,
	readExamples,
	startNode,
	startsManually,
	withCredential,
} from '../lib/examples.mts';
import { requireFreePort } from '../lib/ports.mts';
import { CommandError } from '../lib/commandError.mts';
import { endWithCtrlC } from '../lib/processes.mts';
import { OWNER } from '../lib/rest.mts';
import type { SavedWorkflow } from '../lib/workflow.mts';
import { bringUp, type World } from '../lib/world.mts';

const USAGE = `Runs the package in a real n8n, with the leads sandbox beside it.

  npm start                             until Ctrl-C
  npm start -- --port 5678              n8n's port
  npm start -- --sandbox-port 3100      the sandbox's port
  npm start -- --once                   run the example workflows, print how they ended, stop

n8n is installed once, in the user's cache folder. INTEGRATION_LEADS_N8N_BIN names the file
node_modules/n8n/bin/n8n of one that is installed already.`;

/** Saves the example workflows in n8n. */
async function importExamples({ client, credential }: World): Promise<SavedWorkflow[]> {
	const saved: SavedWorkflow[] = [];
	for (const example of readExamples()) {
		saved.push(await client.createWorkflow(withCredential(example, credential)));
	}
	return saved;
}

async function runOnce(): Promise<number> {
	const world = await bringUp({});
	const workflows = await importExamples(world);
	let failed = 0;
	const needOf = (workflow: SavedWorkflow) =>
		missingChoice(workflow) ?? (startsManually(workflow) ? undefined : 'a request to its webhook');
	const runnable = workflows.filter((workflow) => !needOf(workflow));
	for (const workflow of runnable) {
		const execution = await world.client.runWorkflow(workflow.id, startNode(workflow));
		if (execution.status !== 'success') failed++;
		console.log(`${execution.status}: ${workflow.name}`);
	}
	for (const workflow of workflows) {
		const missing = needOf(workflow);
		if (missing) console.log(`Not run: "${workflow.name}". It needs ${missing}.`);
	}
	console.log(`${runnable.length - failed} of ${runnable.length} example workflows succeeded.`);
	return failed === 0 && runnable.length > 0 ? 0 : 1;
}

function lineOf(workflow: SavedWorkflow, { url }: World['n8n']): string {
	const missing = missingChoice(workflow);
	const hint = missing ? ` (choose ${missing} in it)` : '';
	return `${workflow.name}: ${url}/workflow/${workflow.id}${hint}`;
}

async function keepRunning(ports: { port: number; sandboxPort: number }): Promise<never> {
	await requireFreePort(ports.port, '--port');
	await requireFreePort(ports.sandboxPort, '--sandbox-port');
	const world = await bringUp(ports);
	const workflows = await importExamples(world);
	endWithCtrlC();
	const { n8n, sandbox, credential } = world;
	console.log(`
Ready. Open       ${n8n.url}
  e-mail          ${OWNER.email}
  password        ${OWNER.password}
${workflows.map((workflow) => `  workflow        ${lineOf(workflow, n8n)}`).join('\n')}
  credential      "${credential.name}", chosen in the workflows already
  leads sandbox   ${sandbox.url} (a page that shows its leads and requests as they come)

Everything is temporary: what you make in this n8n is gone when it stops. Ctrl-C stops it.`);
	const what = await Promise.race([
		n8n.endedByItself.then((how) => `n8n stopped by itself (${how}).`),
		sandbox.endedByItself.then((how) => `The sandbox stopped by itself (${how}).`),
	]);
	throw new CommandError(what, 'Run `npm start` again.');
}

await runCommand(async () => {
	const { values } = readArguments(USAGE, {
		options: {
			port: { type: 'string', default: '5678' },
			'sandbox-port': { type: 'string', default: '3100' },
			once: { type: 'boolean' },
		},
	});
	if (values.once) return await runOnce();
	return await keepRunning({
		port: wholeNumber('port', values.port),
		sandboxPort: wholeNumber('sandbox-port', values['sandbox-port']),
	});
});
