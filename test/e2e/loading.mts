/** What n8n serves of the package beside the nodes, which all other cases use. */
import assert from 'node:assert/strict';

import { nodeType, triggerType } from '../../scripts/lib/repository.mts';
import type { N8nClient, NodeType } from '../../scripts/lib/rest.mts';
import { casesOf } from './flow.mts';
import type { CaseWorld } from './world.mts';

/** The node as n8n has loaded it. */
export async function loadedNode({ client }: { client: N8nClient }): Promise<NodeType> {
	const node = (await client.nodeTypes()).find(({ name }) => name === nodeType);
	assert.ok(node, 'n8n has loaded the node');
	return node;
}

export const cases = casesOf<CaseWorld>({
	async 'the trigger is no tool for agents'({ client }) {
		const names = (await client.nodeTypes()).map(({ name }) => name);
		const ours = names.filter((name) => name.startsWith(nodeType));
		assert.deepEqual(ours.sort(), [nodeType, `${nodeType}Tool`, triggerType].sort());
	},
	async 'the icons'({ client, n8n }) {
		const { iconUrl } = await loadedNode({ client });
		assert.ok(iconUrl);
		for (const url of typeof iconUrl === 'string' ? [iconUrl] : Object.values(iconUrl)) {
			const response = await fetch(`${n8n.url}/${url}`);
			assert.match(await response.text(), /<svg/, url);
		}
	},
	async 'an output preview of every operation with a known shape'({ client, n8n }) {
		const { properties } = await loadedNode({ client });
		const missing: string[] = [];
		for (const { name, displayOptions, options } of properties) {
			const [resource] = displayOptions?.show?.resource ?? [];
			// The response of API Request is not known in advance.
			if (name !== 'operation' || resource === 'apiRequest') continue;
			// n8n's own entry is "Custom API Call".
			for (const { value } of (options ?? []).filter((each) => !each.value.startsWith('__'))) {
				const path = `/schemas/${nodeType}/1.0.0/${resource}/${value}.json`;
				if (!(await fetch(n8n.url + path)).ok) missing.push(path);
			}
		}
		assert.deepEqual(missing, []);
	},
});
