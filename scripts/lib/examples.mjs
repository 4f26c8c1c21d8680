import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { credentialType, fromRoot, manifest, triggerType } from './repository.mjs';

const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';

const FOLDER = fromRoot('examples');

/** The files with example workflows, without `.json`. */
export const exampleFiles = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.map((file) => basename(file, '.json'))
	.sort();

/** An example workflow as a user imports it: without a credential. */
export const readExample = (file) => JSON.parse(readFileSync(join(FOLDER, `${file}.json`), 'utf8'));

export const readExamples = () => exampleFiles.map(readExample);

/** The same workflow with the credentials that `of` returns for a node, by their types, if it returns any. */
function withCredentials(workflow, of) {
	const nodes = workflow.nodes.map((node) => {
		const credentials = of(node);
		return credentials ? { ...node, credentials: { ...node.credentials, ...credentials } } : node;
	});
	return { ...workflow, nodes };
}

/** The same workflow with this credential in every node of this package. */
export const withCredential = (workflow, { id, name }) =>
	withCredentials(
		workflow,
		({ type }) => type.startsWith(`${manifest.name}.`) && { [credentialType]: { id, name } },
	);

/**
 * The same workflow as its user makes it ready: every node switched on, with credentials chosen.
 * @param {object} workflow
 * @param {Record<string, object>} credentials by the name of the node: the credential, by its type
 */
export function switchedOn(workflow, credentials) {
	const nodes = workflow.nodes.map(({ disabled, ...node }) => node);
	return withCredentials({ ...workflow, nodes }, ({ name }) => credentials[name]);
}

/**
 * The same workflow with credentials of other services.
 * @param {object} workflow
 * @param {Record<string, {id: string, name: string, type: string}>} accounts by the type of the node
 */
export const withAccounts = (workflow, accounts) =>
	withCredentials(workflow, (node) => {
		const { id, name, type } = accounts[node.type] ?? {};
		return id && { [type]: { id, name } };
	});

/** The name of the node that starts the workflow manually; this package's trigger then shows a sample. */
export const startNode = ({ nodes }) =>
	[MANUAL_TRIGGER, triggerType]
		.map((wanted) => nodes.find(({ type }) => type === wanted)?.name)
		.find(Boolean);

const joins = (connections, type) => Object.entries(connections).find(([, each]) => type in each);

/** The language model node of a workflow, if it has one. */
export const modelNode = ({ nodes, connections }) => {
	const [name] = joins(connections, 'ai_languageModel') ?? [];
	return nodes.find((node) => node.name === name);
};

/** The workflow cannot run until its user has chosen a language model. */
export const needsModel = (workflow) => modelNode(workflow) !== undefined;

const SERVICES = new Set(
	['httpRequest', 'emailSend', 'googleSheets'].map((name) => `n8n-nodes-base.${name}`),
);
const FORM = 'n8n-nodes-base.formTrigger';

/** The workflow cannot run until its user has chosen an account of another service. */
const needsAccount = ({ nodes }) =>
	nodes.some(({ type, disabled }) => SERVICES.has(type) && !disabled);

/** What a workflow cannot run without, and its user has to choose; undefined if there is nothing. */
export function toChoose(workflow) {
	if (needsModel(workflow)) return 'a chat model';
	if (needsAccount(workflow)) return 'an account of another service';
	const isForm = workflow.nodes.some(({ type, disabled }) => type === FORM && !disabled);
	return isForm ? 'a file to upload' : undefined;
}
