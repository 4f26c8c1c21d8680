// Keeps the page up to date, and opens stories without loading it anew. Without it, links and forms work as well.
import { Idiomorph } from '/idiomorph.js';

const main = document.querySelector('main');
const offline = document.getElementById('offline');
const search = document.querySelector('[type=search]');
// What was opened by hand stays open.
const callbacks = { beforeAttributeUpdated: (name) => name !== 'open' };

/** Changes `main` to what the service has now; focus and scroll positions stay. */
async function refresh() {
	const asked = location.search;
	const response = await fetch(`/${asked}`).catch(() => undefined);
	offline.hidden = Boolean(response?.ok);
	if (!response?.ok) return;
	const page = new DOMParser().parseFromString(await response.text(), 'text/html');
	// Another lead may have been opened meanwhile.
	if (asked !== location.search) return;
	Idiomorph.morph(main, page.querySelector('main'), { callbacks });
}

main.addEventListener('click', async (event) => {
	const anchor = event.target.closest('a');
	if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey) return;
	event.preventDefault();
	const opened = new URLSearchParams(location.search).get('lead');
	history.pushState(null, '', anchor.href);
	await refresh();
	const target = document.getElementById('story') ?? document.getElementById(`card-${opened}`);
	target?.focus({ preventScroll: true });
	target?.scrollIntoView({ block: 'nearest' });
});

addEventListener('popstate', refresh);

search.addEventListener('input', () => {
	const query = new URLSearchParams(location.search);
	query.set('q', search.value);
	history.replaceState(null, '', `/?${query}`);
	void refresh();
});
search.form.addEventListener('submit', (event) => event.preventDefault());

setInterval(() => {
	if (!document.hidden && getSelection().isCollapsed) void refresh();
}, 1000);
