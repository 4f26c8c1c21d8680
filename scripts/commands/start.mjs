import { readArguments, wholeNumber } from '../lib/arguments.mjs';
import { runCommand } from '../lib/command.mjs';
import { readExamples, startNode, toChoose, withCredential } from '../lib/examples.mjs';
import { requireFreePort } from '../lib/ports.mjs';
import { Problem } from '../lib/problem.mjs';
import { endWithCtrlC } from '../lib/processes.mjs';
import { OWNER } from '../lib/rest.mjs';
import { bringUp } from '../lib/world.mjs';

const USAGE = `Runs the package in a real n8n, with the leads sandbox beside it.

  npm start                        until Ctrl-C
  npm start -- --port 5678         n8n's port
  npm start -- --once              run the example workflows, print how they ended, stop

n8n is installed once, in the user's cache folder. INTEGRATION_LEADS_N8N_BIN names the file
node_modules/n8n/bin/n8n of one that is installed already.`;

const SANDBOX_PORT = 3100;

/** Saves the example workflows in n8n. */
async function importExamples({ client, credential }) {
	const saved = [];
	for (const example of readExamples()) {
		saved.push(await client.createWorkflow(withCredential(example, credential)));
	}
	return saved;
}

async function runOnce() {
	const world = await bringUp({});
	const workflows = await importExamples(world);
	let failed = 0;
	const runnable = workflows.filter((workflow) => !toChoose(workflow));
	for (const workflow of runnable) {
		const execution = await world.client.runWorkflow(workflow.id, startNode(workflow));
		if (execution.status !== 'success') failed++;
		console.log(`${execution.status}: ${workflow.name}`);
	}
	for (const workflow of workflows.filter(toChoose)) {
		console.log(`Not run: "${workflow.name}". It needs ${toChoose(workflow)}.`);
	}
	console.log(`${runnable.length - failed} of ${runnable.length} example workflows succeeded.`);
	return failed === 0 && runnable.length > 0 ? 0 : 1;
}

function lineOf(workflow, { url }) {
	const hint = toChoose(workflow) ? ` (choose ${toChoose(workflow)} in it)` : '';
	return `${workflow.name}: ${url}/workflow/${workflow.id}${hint}`;
}

async function keepRunning(port) {
	for (const each of [port, SANDBOX_PORT]) await requireFreePort(each);
	const world = await bringUp({ port, sandboxPort: SANDBOX_PORT });
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
	throw new Problem(what, 'Run `npm start` again.');
}

await runCommand(async () => {
	const { once, port } = readArguments(USAGE, {
		options: { port: { type: 'string', default: '5678' }, once: { type: 'boolean' } },
	}).values;
	return await (once ? runOnce() : keepRunning(wholeNumber('port', port)));
});
