/**
 * Which of a lead's conversations is open. Pure.
 *
 * The spec shows no field of a conversation (part 2, "Other resources"), so one counts as closed only if it plainly says so.
 */
import { isNil, some } from 'lodash';

import type { ServiceRecord } from '../values/json';

const CLOSED = /^(?:archived|closed|completed|ended|finished|resolved)$/i;
const STATES = ['status', 'state'];
/** Flags, and the value with which they show that it is closed. */
const FLAGS = { closed: 'true', isClosed: 'true', open: 'false', isOpen: 'false' };
const CLOSING_TIMES = ['closedAt', 'endedAt', 'finishedAt', 'archivedAt', 'resolvedAt'];

/** It is not plainly closed. */
export function isOpen(conversation: ServiceRecord): boolean {
	return (
		!STATES.some((name) => CLOSED.test(String(conversation[name] ?? ''))) &&
		!some(FLAGS, (closed, name) => String(conversation[name]).toLowerCase() === closed) &&
		CLOSING_TIMES.every((name) => isNil(conversation[name]) || conversation[name] === '')
	);
}

/** The one that was created last; undefined if their times do not show it. */
export function newestConversation(conversations: ServiceRecord[]): ServiceRecord | undefined {
	if (conversations.length < 2) return conversations[0];
	const times = conversations.map(({ createdAt }) => Date.parse(String(createdAt)));
	const latest = Math.max(...times);
	const [newest, ...others] = conversations.filter((_, index) => times[index] === latest);
	return others.length === 0 ? newest : undefined;
}
