/** Writes the table of test/helpers/persons.txt for docs/guide.md. */
const MARKED = /(<!-- persons:begin -->)[^]*(<!-- persons:end -->)/;

/** Puts the table between the two marks of the page. @param text lines of cells, the first of which is the head */
export const withPersons = (page: string, text: string): string =>
	page.replace(MARKED, `$1\n\n${tableOf(text)}\n\n$2`);

function tableOf(text: string): string {
	const [head, ...rows] = text.trim().split('\n');
	const rule = head.replace(/[^|]+/g, ' --- ').trim();
	return [head, rule, ...rows].map((line) => `| ${line} |`).join('\n');
}
