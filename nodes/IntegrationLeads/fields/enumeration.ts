/** The drop-down of an enumeration: `in_progress` and `TASK_CREATED` become "In Progress" and "Task Created". */
export function enumeration(values: readonly string[]): Array<{ name: string; value: string }> {
	return [...values].sort().map((value) => ({
		name: value
			.toLowerCase()
			.split('_')
			.map((word) => word[0].toUpperCase() + word.slice(1))
			.join(' '),
		value,
	}));
}
