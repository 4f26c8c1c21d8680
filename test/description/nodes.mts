/** The nodes that the package registers, from the sources. */
import type { INodeProperties, INodeType } from 'n8n-workflow';
import { basename } from 'node:path';

import { n8n } from '../../package.json';

export interface Registered {
	className: string;
	/** The source file, from the root of the repository. */
	file: string;
	node: INodeType;
}

export const registered: Registered[] = n8n.nodes.map((built) => {
	const file = built.replace(/^dist\//, '').replace(/\.js$/, '.ts');
	const className = basename(file, '.node.ts');
	const loaded = require(`../../${file}`) as Record<string, new () => INodeType>;
	return { className, file, node: new loaded[className]() };
});

/** A property and all properties inside its collections. */
export function withInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) =>
		'type' in option ? withInner(option) : [],
	);
	return [property, ...inner];
}

/** Whether the operation has this property, or this field of a collection that it has. */
export const isOf =
	(resource: string, operation: string) =>
	({ displayOptions: { show = {} } = {} }: INodeProperties): boolean =>
		Object.entries({ resource, operation }).every(([name, value]) => {
			const allowed = show[name] ?? show[`/${name}`];
			return !allowed || allowed.includes(value);
		});
