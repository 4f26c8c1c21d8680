// Keeps the page up to date, and opens stories without loading it anew. Without it, links and forms work as well.
'use strict';

/** Makes `from` what `to` is, and keeps what is the same: focus, scroll positions and opened details stay. */
function update(from, to) {
	if (from.isEqualNode(to)) return;
	if (from.nodeName !== to.nodeName || from.nodeType !== Node.ELEMENT_NODE || from.id !== to.id)
		return void from.replaceWith(to);
	for (const { name } of [...from.attributes])
		if (name !== 'open' && !to.hasAttribute(name)) from.removeAttribute(name);
	for (const { name, value } of to.attributes) from.setAttribute(name, value);
	const wanted = [...to.childNodes];
	const ids = new Set(wanted.map(({ id }) => id));
	for (const child of [...from.children]) if (child.id && !ids.has(child.id)) child.remove();
	wanted.forEach((child, i) => {
		const place = from.childNodes[i] ?? null;
		const known = child.id
			? [...from.children].find(({ id }) => id === child.id)
			: !place?.id && place;
		// Moving an element takes the focus from it.
		if (known !== place || !known) from.insertBefore(known || child, place);
		if (known) update(known, child);
	});
	while (from.childNodes.length > wanted.length) from.lastChild.remove();
}

async function refresh() {
	const asked = location.search;
	const response = await fetch(`/${asked}`).catch(() => undefined);
	document.body.classList.toggle('offline', !response?.ok);
	if (!response?.ok) return;
	const page = new DOMParser().parseFromString(await response.text(), 'text/html');
	// Another lead may have been opened meanwhile.
	if (asked === location.search) update(document.querySelector('main'), page.querySelector('main'));
}

document.addEventListener('click', async (event) => {
	const anchor = event.target.closest('main a[href^="/"]');
	if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey) return;
	event.preventDefault();
	const opened = new URLSearchParams(location.search).get('lead');
	history.pushState(null, '', anchor.getAttribute('href'));
	await refresh();
	const story = document.getElementById('story');
	const target = story ?? document.querySelector(`#card-${CSS.escape(opened)} a`);
	target?.focus({ preventScroll: true });
	target?.scrollIntoView({ block: 'nearest' });
});

addEventListener('popstate', refresh);

const search = document.querySelector('input[name=q]');
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
