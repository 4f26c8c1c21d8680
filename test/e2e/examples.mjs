import assert from 'node:assert/strict';

import { manualTrigger, readExamples, withCredential } from '../../scripts/lib/examples.mjs';

const examples = readExamples();

export const cases = [
	...examples.map((example) => ({
		name: `"${example.name}" runs, twice the same way`,
		async run({ client, credential }) {
			const { id } = await client.createWorkflow(withCredential(example, credential));
			for (const time of ['first', 'second']) {
				const { status, data } = await client.runWorkflow(id, manualTrigger(example));
				assert.equal(status, 'success', `${time} run: ${data.resultData.error?.message}`);
			}
		},
	})),
	{
		name: 'they hold no credential',
		async run() {
			const nodes = examples.flatMap((example) => example.nodes);
			assert.deepEqual(
				nodes.filter((node) => 'credentials' in node),
				[],
			);
		},
	},
];
