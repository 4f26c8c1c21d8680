/** n8n repeats a node, or a worker an execution that failed: what was recorded is not recorded again. */
import { recordWithRetriedExecution, recordWithRetryOnFail } from '../retry.mjs';
import { withSandbox } from './setup.mjs';

export const casesFor = () => [
	{
		name: 'Retry On Fail, and Retry in the list of executions, record each item once',
		run: async (world) =>
			await withSandbox(world, { name: 'retry' }, async (own) => {
				await recordWithRetryOnFail(own, 4);
				await recordWithRetriedExecution(own);
			}),
	},
];
