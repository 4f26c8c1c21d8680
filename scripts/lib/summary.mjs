const SHOWN_FIELDS = 4;
const SHOWN_LENGTH = 16;

/**
 * The output of each step of an execution, one row per step, in the order they ran.
 * @param {string} workflow name
 * @param {{data: object}} execution from N8nClient
 */
export function summarize(workflow, { data }) {
	const { runData } = data.resultData;
	const runs = Object.entries(runData).flatMap(([node, all]) => all.map((run) => ({ node, run })));
	runs.sort((a, b) => a.run.executionIndex - b.run.executionIndex);
	return runs.map(({ node, run }) => {
		const items = (run.data?.main ?? []).flatMap((output) => output ?? []);
		const result = run.error ? `error: ${run.error.message}` : keyFields(items[0]?.json);
		return { workflow, node, items: items.length, 'first item': result };
	});
}

/** The first plain values of a record, enough to recognise it. */
function keyFields(json = {}) {
	return Object.entries(json)
		.filter(([, value]) => value !== null && typeof value !== 'object' && value !== '')
		.slice(0, SHOWN_FIELDS)
		.map(([name, value]) => `${name}=${shorten(String(value))}`)
		.join(' ');
}

const shorten = (text) =>
	text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH - 1)}…` : text;
