import { fieldsOf, openapi, rules } from '../openapi.mts';
import type { Verdict } from './assumption.mts';
import { assumptions, type Assumption } from './assumptions/index.mts';
import { shorten } from './secrets.mts';
import type { Made, Survey } from './survey/survey.mts';

const EVIDENCE_LENGTH = 90;

/** An assumption and what it turned out to be. */
export type Finding = Verdict & { assumption: Assumption };

/** Judges every assumption by what was seen. */
export const judge = (survey: Survey): Finding[] =>
	assumptions.map((assumption) => ({ assumption, ...assumption.check(survey) }));

function lineOf({ outcome, seen, assumption }: Finding): string {
	const { stated, statement, notReliedOn } = assumption;
	const basis = (stated ? `stated ${stated}` : 'assumed').padEnd(18);
	const mark = notReliedOn ? ' (not relied on)' : '';
	return `${outcome.padEnd(14)}  ${basis}  ${statement}${mark} | ${shorten(seen, EVIDENCE_LENGTH)}`;
}

/**
 * The findings as text, a line for each, by the rule of the node that they back.
 *
 * @param wrote without writing, what only a write can show is one line
 */
export function reportOf(findings: Finding[], wrote: boolean): string[] {
	const judged = findings.filter(({ assumption }) => wrote || !assumption.writes);
	const lines = Object.entries(rules).flatMap(([id, { rule, where }]) => {
		const own = judged.filter(({ assumption }) => assumption.rule === id);
		return own.length ? ['', `${rule} [${where}]`, ...own.map(lineOf)] : [];
	});
	const unchecked = findings.length - judged.length;
	if (unchecked) lines.push('', `${unchecked} assumptions about writes were not checked (--write)`);
	return [...lines, '', summaryOf(judged)];
}

function summaryOf(findings: Finding[]): string {
	const of = (outcome: Verdict['outcome']) => findings.filter((each) => each.outcome === outcome);
	const harmless = of('differs').filter(({ assumption }) => assumption.notReliedOn).length;
	const note = harmless ? ` (${harmless} not relied on: the node works either way)` : '';
	const unknown = `${of('could not tell').length} could not be determined`;
	return `${of('holds').length} hold, ${of('differs').length} differ${note}, ${unknown}`;
}

/** What the probe leaves behind, as text; empty when it leaves nothing. */
export function leftOf(left: readonly Made[]): string[] {
	const shown = ({ kind, label, id, externalId }: Made) => {
		const which = [id ?? 'id not seen, it may not exist', externalId].filter(Boolean).join(', ');
		return `  ${kind}${label === kind ? '' : ` ${label}`} (${which})`;
	};
	return left.length ? ['', 'Left in the service:', ...left.map(shown)] : [];
}

const { schemas } = openapi.components;
/** Fields that this package expects beyond those that openapi.yaml has of a record. */
const EXPECTED = ['createdAt', 'leadId', 'contactId', 'conversationId'];

/** What the service has that openapi.yaml does not show, as text: those lists are open, so it is not judged. */
export function newsOf(survey: Survey): string[] {
	const lineOf = (what: string, seen: string[], known: string[] = []) => {
		const news = new Set(seen.filter((each) => !known.includes(each)));
		return news.size ? [`  ${what}: ${[...news].sort().join(', ')}`] : [];
	};
	const values = ['Status', 'Priority', 'Source'].flatMap((name) => {
		const field = name.toLowerCase();
		const seen = survey.records('lead').flatMap((lead) => lead[field] ?? []);
		return lineOf(`${field} of leads`, seen.map(String), schemas[name].examples);
	});
	const kinds = ['Lead', 'Contact', 'Tag', 'Interaction', 'Conversation', 'Message'];
	const fields = kinds.flatMap((name) => {
		const kind = name.toLowerCase();
		const seen = survey.records(kind).flatMap((record) => Object.keys(record));
		const known = Object.keys(fieldsOf(schemas[name]));
		return lineOf(`fields of a ${kind}`, seen, [...known, ...EXPECTED]);
	});
	const lines = [...values, ...fields];
	return lines.length ? ['', 'Not in the documentation:', ...lines] : [];
}
