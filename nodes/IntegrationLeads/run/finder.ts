/** For an agent that lacks an ID: the operation that finds it, derived from the declarations. Pure. */
import type { Operation, Resource } from '../operation';

/** What an agent can do next. */
export interface Finder {
	/** How to get the value of a parameter of the path, as a sentence. */
	forParameter: (name: string) => string;
	/** The operation that lists the records of this resource, e.g. `Lead > Get Many with Search`. */
	list?: string;
}

/** @param resource the key of the resource whose operation runs */
export function finderIn(resources: Record<string, Resource>, resource: string): Finder {
	return {
		forParameter: (name) => {
			// `contactId` is the ID of a record of the resource `contact`; an external ID is a lead's.
			const owner = resources[name.replace(/Id$/, '')];
			const { name: kind } = owner ?? resources.lead;
			const id = owner ? 'ID' : 'external ID';
			return `Use ${listOf(owner ?? resources.lead)} to find the ${id} of the ${kind.toLowerCase()}, or ask the user.`;
		},
		list: listOf(resources[resource]),
	};
}

function listOf({ name, operations }: Resource): string | undefined {
	const list = Object.values(operations).find(
		({ output, report }) => output.kind === 'many' && !report,
	);
	return list && `${name} > ${list.name}${canSearch(list) ? ' with Search' : ''}`;
}

function canSearch({ parameters }: Operation): boolean {
	const fields = parameters.flatMap(({ options = [] }) => options);
	return fields.some(({ name }) => name === 'search');
}
