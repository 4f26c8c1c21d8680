import { nodesOf } from '../flow.mjs';

const tag = nodesOf('tag');

export const steps = () => [
	{
		node: tag('Create', 'create', { name: 'made by a workflow' }),
		sends: ['POST /tags'],
		gives: { name: 'made by a workflow' },
		among: '/tags',
	},
	{ node: tag('Some', 'getAll', { limit: 3 }), count: 3, among: '/tags' },
	{ node: tag('All', 'getAll', { returnAll: true }), listed: '/tags' },
];
