/** Remembers what holds of the items of a run, since every item asks. Pure. */
import type { IDataObject } from 'n8n-workflow';

const remembered = new WeakMap<IDataObject[], Map<string, boolean>>();

/**
 * Whether something holds of any item of a run.
 *
 * @param name of what holds, which is remembered
 */
export function isInRun(
	inputs: IDataObject[],
	name: string,
	holds: (input: IDataObject) => boolean,
): boolean {
	const ofRun = remembered.get(inputs) ?? new Map<string, boolean>();
	remembered.set(inputs, ofRun);
	const known = ofRun.get(name) ?? inputs.some(holds);
	ofRun.set(name, known);
	return known;
}
