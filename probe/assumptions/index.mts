import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { fieldsOf, operations, type Operation } from '../../openapi.mts';
import {
	couldNotTell,
	differs,
	holds,
	isInconclusive,
	refused,
	type Check,
} from '../assumption.mts';
import { answerOf, isSuccess, outcomeOf } from '../reply.mts';
import { answers } from './answers.mts';
import { lists } from './lists.mts';
import { rate } from './rate.mts';
import { records } from './records.mts';
import { kept, writes } from './writes.mts';

/** One thing that is assumed of the service. */
export interface Assumption {
	id: string;
	/** The rule of the node that it backs. */
	rule: string;
	statement: string;
	/** The section of the specification that states it, if one does. */
	stated?: string;
	/** The node works either way: this is the plain reading, or the example shown. */
	notReliedOn: boolean;
	/** Only a write can show it. */
	writes: boolean;
	check: Check;
}

/** That an operation is there, and takes what is sent. */
function isAccepted(operation: string): Check {
	return (survey) => {
		const replies = survey.of(operation).filter(({ provokes }) => !provokes);
		if (!replies.length) return couldNotTell(survey.whyNot(operation));
		const success = replies.find(isSuccess);
		if (success) return holds(`${success.status}`);
		const refusal = replies.find((reply) => !isInconclusive(reply));
		return refusal ? differs(answerOf(refusal)) : couldNotTell(outcomeOf(replies[0]));
	};
}

function toAssumption({ id, method, path, query, body = {}, certainty }: Operation): Assumption {
	const names = [query, body].flatMap((schema) => Object.keys(fieldsOf(schema)));
	return {
		id,
		rule: 'operations',
		statement: `${method} ${path} ${names.length ? `takes ${names.join(', ')}` : 'is there'}`,
		stated: 'stated' in certainty ? certainty.stated : undefined,
		notReliedOn: false,
		// What was synchronised is only known of what was just pushed.
		writes: method !== 'GET' || id === 'getSynced',
		check: isAccepted(id),
	};
}

type Row = { stated?: string } & ({ that: string } | { either: string }) &
	Partial<{ refused: Parameters<typeof refused>; kept: Parameters<typeof kept> }>;
const file = readFileSync(join(import.meta.dirname, '../assumptions.yaml'), 'utf8');
const table = parse(file) as Record<string, Record<string, Row>>;
const checks: Record<string, Check> = { ...answers, ...rate, ...lists, ...records, ...writes };

const checkOf = (id: string, row: Row) =>
	row.refused ? refused(...row.refused) : row.kept ? kept(...row.kept) : checks[id];
/** The rules that only a write can show. */
const WRITTEN = ['creation', 'writes', 'recorded', 'batch', 'deletion'];

/** Everything that is assumed of the service. */
export const assumptions: Assumption[] = [
	...Object.entries(table).flatMap(([rule, rows]) =>
		Object.entries(rows).map(([id, row]) => ({
			id,
			rule,
			statement: 'that' in row ? row.that : row.either,
			stated: row.stated,
			notReliedOn: 'either' in row,
			writes: WRITTEN.includes(rule) || id === 'contact-made-phone',
			check: checkOf(id, row),
		})),
	),
	...operations.map(toAssumption),
];
