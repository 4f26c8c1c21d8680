import { sortBy, startCase, toLower } from 'lodash';

/** The drop-down of an enumeration: `in_progress` and `TASK_CREATED` become "In Progress" and "Task Created". */
export function enumeration(values: readonly string[]): Array<{ name: string; value: string }> {
	const entries = values.map((value) => ({ name: startCase(toLower(value)), value }));
	return sortBy(entries, 'name');
}
