/** HTML that is safe to send. Only {@link html} makes it. */
class Html {
	constructor(readonly text: string) {}
}

/** What {@link html} takes between its parts. */
export type HtmlValue = Html | string | number | null | undefined | HtmlValue[];

/** HTML from a template: what is put between its parts is escaped, unless it is such HTML itself. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
	return new Html(String.raw({ raw: parts }, ...values.map(escaped)));
}

function escaped(value: HtmlValue): string {
	if (value instanceof Html) return value.text;
	if (Array.isArray(value)) return value.map(escaped).join('');
	return String(value ?? '').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
