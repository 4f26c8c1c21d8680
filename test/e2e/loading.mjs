import assert from 'node:assert/strict';

import { credentialType, manifest, nodeType, triggerType } from '../../scripts/lib/repository.mjs';

const find = async ({ client }, name) =>
	(await client.nodeTypes()).find((type) => type.name === name);

const valuesOf = ({ properties }, parameter, resource) =>
	properties
		.filter(({ name }) => name === parameter)
		.filter(({ displayOptions }) => !resource || displayOptions.show.resource.includes(resource))
		.flatMap(({ options }) => options.map(({ value }) => value));

export const cases = [
	{
		name: 'n8n lists the node',
		async run(world) {
			const type = await find(world, nodeType);
			assert.ok(type, `${nodeType} is not among the node types`);
			assert.deepEqual(
				type.credentials.map(({ name }) => name),
				[credentialType],
			);
		},
	},
	{
		name: 'n8n lists the node as a tool for agents',
		async run(world) {
			const tool = await find(world, `${nodeType}Tool`);
			assert.ok(tool, `${nodeType}Tool is not among the node types`);
			assert.deepEqual(
				tool.outputs.map((output) => output.type ?? output),
				['ai_tool'],
			);
		},
	},
	{
		name: 'n8n lists the trigger as one that polls, and not as a tool',
		async run(world) {
			const trigger = await find(world, triggerType);
			assert.ok(trigger, `${triggerType} is not among the node types`);
			assert.equal(trigger.polling, true);
			assert.equal(await find(world, `${triggerType}Tool`), undefined);
		},
	},
	{
		name: 'n8n lists the credential',
		async run({ client }) {
			const types = await client.request('GET', '/types/credentials.json');
			const type = types.find(({ name }) => name === credentialType);
			assert.ok(type, `${credentialType} is not among the credential types`);
			const fields = type.properties.map(({ name }) => name);
			assert.deepEqual(
				['baseUrl', 'apiKey'].filter((name) => !fields.includes(name)),
				[],
			);
		},
	},
	{
		name: 'n8n serves the icons',
		async run(world) {
			const { iconUrl } = await find(world, nodeType);
			const urls = typeof iconUrl === 'string' ? [iconUrl] : Object.values(iconUrl);
			for (const url of urls) {
				const response = await fetch(`${world.n8n.url}/${url}`);
				assert.equal(response.status, 200, url);
				assert.match(await response.text(), /<svg/, url);
			}
		},
	},
	{
		name: 'n8n serves an output preview for every operation with a known shape',
		async run(world) {
			const type = await find(world, nodeType);
			const missing = [];
			for (const resource of valuesOf(type, 'resource')) {
				// The response of API Request is not known in advance.
				if (resource === 'apiRequest') continue;
				for (const operation of valuesOf(type, 'operation', resource)) {
					// n8n's own entry, "Custom API Call".
					if (operation.startsWith('__')) continue;
					const path = `/schemas/${nodeType}/1.0.0/${resource}/${operation}.json`;
					const response = await fetch(world.n8n.url + path);
					if (!response.ok) missing.push(`${resource}/${operation}`);
				}
			}
			assert.deepEqual(missing, []);
		},
	},
	{
		name: 'the package installs no other packages in n8n',
		run: async () => assert.equal(manifest.dependencies, undefined),
	},
];
