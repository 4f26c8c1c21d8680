import type { INode } from 'n8n-workflow';

/** A node as errors and contexts want one; nothing depends on what it is. */
export const node: INode = {
	id: 'n',
	name: 'Leads',
	type: 't',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
