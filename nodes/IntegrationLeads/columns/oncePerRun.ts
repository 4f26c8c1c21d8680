/** Remembers what holds of the items of a run, since every item asks. Pure. */
import type { IDataObject } from 'n8n-workflow';

const remembered = new WeakMap<IDataObject[], Map<string, unknown>>();

/**
 * Finds something in the items of a run, once.
 *
 * @param name of what is found, by which it is remembered
 */
export function findInRun<T>(inputs: IDataObject[], name: string, find: () => T): T {
	const ofRun = remembered.get(inputs) ?? new Map<string, unknown>();
	remembered.set(inputs, ofRun);
	if (!ofRun.has(name)) ofRun.set(name, find());
	return ofRun.get(name) as T;
}
