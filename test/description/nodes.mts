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
	const inner = (property.options ?? []).flatMap((option) => {
		if ('displayName' in option && 'type' in option) return withInner(option);
		return 'values' in option ? option.values.flatMap(withInner) : [];
	});
	return [property, ...inner];
}
