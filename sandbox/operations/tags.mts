import { listed, type Call, type Result } from '../operation.mts';
import { showPlain } from '../show.mts';

// The shapes of both operations are assumed: spec 4.6 only names them.

export function listTags(call: Call): Result {
	return listed(call, 'tags', showPlain, call.store.tags);
}

/** A name that is known gives the tag that has it: names are unique. */
export function createTag(call: Call): Result {
	const { name } = call.body as { name: string };
	const { tag, created } = call.store.ensureTag(name);
	return { kind: 'record', name: 'tag', record: showPlain(tag), created };
}
