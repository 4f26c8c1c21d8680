import { readFileSync, readdirSync } from 'node:fs';

import { fromRoot, manifest, credentialType } from './repository.mjs';

/** The example workflows as a user imports them: without a credential. */
export function readExamples() {
	const folder = fromRoot('examples');
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => JSON.parse(readFileSync(fromRoot('examples', file), 'utf8')));
}

/** The same workflow with this credential chosen in every node of ours. */
export function withCredential(workflow, { id, name }) {
	const ours = ({ type }) => type.startsWith(`${manifest.name}.`);
	const nodes = workflow.nodes.map((node) =>
		ours(node) ? { ...node, credentials: { [credentialType]: { id, name } } } : node,
	);
	return { ...workflow, nodes };
}

/** The name of the node a workflow is started from by hand. */
export const manualTrigger = ({ nodes }) =>
	nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger')?.name;
