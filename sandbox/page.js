// Keeps the page up to date, and opens stories without loading it anew. Without it, links and forms work as well.
'use strict';

/** Makes `from` what `to` is, and keeps what is the same: focus, scroll positions and opened details stay. */
function update(from, to) {
	if (from.isEqualNode(to)) return;
	if (from.nodeName !== to.nodeName || from.nodeType !== Node.ELEMENT_NODE || from.id !== to.id) {
		from.replaceWith(to.cloneNode(true));
		return;
	}
	for (const { name } of [...from.attributes]) {
		if (name !== 'open' && !to.hasAttribute(name)) from.removeAttribute(name);
	}
	for (const { name, value } of to.attributes) {
		if (from.getAttribute(name) !== value) from.setAttribute(name, value);
	}
	const kept = new Set([...to.children].map(({ id }) => id));
	for (const child of [...from.children]) if (child.id && !kept.has(child.id)) child.remove();
	let next = from.firstChild;
	for (const child of to.childNodes) {
		const known = child.id
			? [...from.children].find(({ id }) => id === child.id)
			: !next?.id && next;
		if (!known) {
			from.insertBefore(child.cloneNode(true), next);
			continue;
		}
		const reached = known === next;
		if (!reached) from.insertBefore(known, next);
		const after = reached ? known.nextSibling : next;
		update(known, child);
		next = after;
	}
	while (next) {
		const rest = next.nextSibling;
		next.remove();
		next = rest;
	}
}

async function refresh() {
	const asked = location.search;
	const response = await fetch(`/${asked}`).catch(() => undefined);
	document.body.classList.toggle('offline', !response?.ok);
	if (!response?.ok) return;
	const page = new DOMParser().parseFromString(await response.text(), 'text/html');
	// Another lead may have been opened meanwhile.
	if (asked === location.search) {
		update(document.querySelector('main'), page.querySelector('main'));
	}
}

async function open(address) {
	history.pushState(null, '', address);
	await refresh();
}

document.addEventListener('click', async (event) => {
	const anchor = event.target.closest('main a[href^="/"]');
	if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey) return;
	event.preventDefault();
	const opened = new URLSearchParams(location.search).get('lead');
	await open(anchor.getAttribute('href'));
	const story = document.getElementById('story');
	const target = story ?? document.querySelector(`#card-${CSS.escape(opened)} a`);
	target?.focus({ preventScroll: true });
	target?.scrollIntoView({ block: 'nearest' });
});

addEventListener('popstate', refresh);

const search = document.querySelector('input[name=q]');
search.addEventListener('input', () => {
	const query = new URLSearchParams(location.search);
	if (search.value) query.set('q', search.value);
	else query.delete('q');
	history.replaceState(null, '', `/?${query}`);
	void refresh();
});
search.form.addEventListener('submit', (event) => event.preventDefault());

setInterval(() => {
	if (!document.hidden && getSelection().isCollapsed) void refresh();
}, 1000);
