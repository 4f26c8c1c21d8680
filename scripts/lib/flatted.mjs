/**
 * Reads "flatted" JSON, the form n8n stores execution data in: an array whose first entry is the
 * root and in which every string inside an object or array is the index of an entry.
 * @param {string} text
 */
export function unflatted(text) {
	const entries = JSON.parse(text);
	const done = new Map();
	const resolve = (index) => {
		const entry = entries[index];
		if (entry === null || typeof entry !== 'object') return entry;
		if (done.has(index)) return done.get(index);
		const copy = Array.isArray(entry) ? [] : {};
		done.set(index, copy);
		for (const [key, value] of Object.entries(entry)) {
			copy[key] = typeof value === 'string' ? resolve(Number(value)) : value;
		}
		return copy;
	};
	return resolve(0);
}
