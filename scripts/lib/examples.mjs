import { readFileSync, readdirSync } from 'node:fs';

import { credentialType, fromRoot, manifest, triggerType } from './repository.mjs';

const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';

/** The example workflows as a user imports them: without a credential. */
export function readExamples() {
	const folder = fromRoot('examples');
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => JSON.parse(readFileSync(fromRoot('examples', file), 'utf8')));
}

/** The same workflow with this credential in every node of this package. */
export function withCredential(workflow, { id, name }) {
	const ours = ({ type }) => type.startsWith(`${manifest.name}.`);
	const nodes = workflow.nodes.map((node) =>
		ours(node) ? { ...node, credentials: { [credentialType]: { id, name } } } : node,
	);
	return { ...workflow, nodes };
}

/**
 * The same workflow as its user makes it ready: every node switched on, with credentials chosen.
 * @param {object} workflow
 * @param {Record<string, object>} credentials by the name of the node: the credential, by its type
 */
export function switchedOn(workflow, credentials) {
	const nodes = workflow.nodes.map(({ disabled, ...node }) => ({
		...node,
		...(credentials[node.name] && { credentials: credentials[node.name] }),
	}));
	return { ...workflow, nodes };
}

/**
 * The same workflow with credentials of other services.
 * @param {object} workflow
 * @param {Record<string, {id: string, name: string, type: string}>} accounts by the type of the node
 */
export function withAccounts(workflow, accounts) {
	const nodes = workflow.nodes.map((node) => {
		const { id, name, type } = accounts[node.type] ?? {};
		return id ? { ...node, credentials: { ...node.credentials, [type]: { id, name } } } : node;
	});
	return { ...workflow, nodes };
}

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

const SERVICES = new Set(['n8n-nodes-base.httpRequest', 'n8n-nodes-base.slack']);

/** The workflow cannot run until its user has chosen an account of another service. */
export const needsAccount = ({ nodes }) =>
	nodes.some(({ type, disabled }) => SERVICES.has(type) && !disabled);

/** What a workflow cannot run without, and its user has to choose; undefined if there is nothing. */
export function toChoose(workflow) {
	if (needsModel(workflow)) return 'a chat model';
	return needsAccount(workflow) ? 'an account of another service' : undefined;
}
