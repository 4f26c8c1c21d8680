import type { INode } from 'n8n-workflow';

/** A node for errors and contexts; its values do not matter. */
export const node: INode = {
	id: 'n',
	name: 'Leads',
	type: 't',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
