import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { credentialType, fromRoot, manifest, triggerType } from './repository.mts';
import type { Connections, Credential, Workflow, WorkflowNode } from './workflow.mts';

const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';

const FOLDER = fromRoot('examples');

/** The files with example workflows, without `.json`. */
export const exampleFiles = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.map((file) => basename(file, '.json'))
	.sort();

/** An example workflow as a user imports it: without a credential. */
export const readExample = (file: string): Workflow =>
	JSON.parse(readFileSync(join(FOLDER, `${file}.json`), 'utf8')) as Workflow;

export const readExamples = (): Workflow[] => exampleFiles.map(readExample);

/** The same workflow with the credentials that `of` returns for a node, by their types, if it returns any. */
function withCredentials(
	workflow: Workflow,
	of: (node: WorkflowNode) => Record<string, object> | undefined,
): Workflow {
	const nodes = workflow.nodes.map((node) => {
		const credentials = of(node);
		return credentials ? { ...node, credentials: { ...node.credentials, ...credentials } } : node;
	});
	return { ...workflow, nodes };
}

/** The same workflow with this credential in every node of this package. */
export const withCredential = (workflow: Workflow, { id, name }: Credential): Workflow =>
	withCredentials(workflow, ({ type }) =>
		type.startsWith(`${manifest.name}.`) ? { [credentialType]: { id, name } } : undefined,
	);

/**
 * The same workflow as its user makes it ready: every node switched on, with credentials chosen.
 * @param credentials by the name of the node: the credential, by its type
 */
export function switchedOn(
	workflow: Workflow,
	credentials: Record<string, Record<string, object>>,
): Workflow {
	const nodes = workflow.nodes.map(({ disabled: _, ...node }) => node);
	return withCredentials({ ...workflow, nodes }, ({ name }) => credentials[name]);
}

/**
 * The same workflow with credentials of other services.
 * @param accounts by the type of the node
 */
export const withAccounts = (
	workflow: Workflow,
	accounts: Partial<Record<string, Credential>>,
): Workflow =>
	withCredentials(workflow, (node) => {
		const account = accounts[node.type];
		return account && { [account.type]: { id: account.id, name: account.name } };
	});

/** The node that starts a workflow manually; this package's trigger then shows a sample. */
const manualStart = ({ nodes }: Workflow) =>
	[MANUAL_TRIGGER, triggerType]
		.map((wanted) => nodes.find(({ type }) => type === wanted))
		.find(Boolean);

/** Whether a workflow can be started manually. Others wait for a request to their webhook. */
export const startsManually = (workflow: Workflow): boolean => manualStart(workflow) !== undefined;

/** The name of the node that starts the workflow manually. */
export function startNode(workflow: Workflow): string {
	const trigger = manualStart(workflow);
	if (!trigger) throw new Error(`"${workflow.name}" has no node that starts it by hand`);
	return trigger.name;
}

const findConnection = (connections: Connections, type: string) =>
	Object.entries(connections).find(([, each]) => type in each);

/** The language model node of a workflow, if it has one. */
export const modelNode = ({ nodes, connections }: Workflow): WorkflowNode | undefined => {
	const [name] = findConnection(connections, 'ai_languageModel') ?? [];
	return nodes.find((node) => node.name === name);
};

/** The workflow cannot run until its user has chosen a language model. */
export const needsModel = (workflow: Workflow): boolean => modelNode(workflow) !== undefined;

const SERVICES = new Set(
	['httpRequest', 'emailSend', 'googleSheets'].map((name) => `n8n-nodes-base.${name}`),
);
const FORM = 'n8n-nodes-base.formTrigger';

/** The workflow cannot run until its user has chosen an account of another service. */
const needsAccount = ({ nodes }: Workflow): boolean =>
	nodes.some(({ type, disabled }) => SERVICES.has(type) && !disabled);

/** What a workflow cannot run without and its user has to choose; undefined if there is nothing. */
export function missingChoice(workflow: Workflow): string | undefined {
	if (needsModel(workflow)) return 'a chat model';
	if (needsAccount(workflow)) return 'an account of another service';
	const isForm = workflow.nodes.some(({ type, disabled }) => type === FORM && !disabled);
	return isForm ? 'a file to upload' : undefined;
}
