import { assumptions } from './assumptions/index.mts';
import { couldNotTell, type Assumption, type Verdict } from './assumption.mts';
import type { Evidence } from './evidence.mts';
import { shorten } from './secrets.mts';
import type { Made } from './survey/ledger.mts';

const EVIDENCE_LENGTH = 90;

/** An assumption and what it turned out to be. */
export interface Finding extends Verdict {
	topic: string;
	assumption: Assumption;
}

/** Judges every assumption by what was seen. */
export function judge(evidence: Evidence): Finding[] {
	return Object.entries(assumptions).flatMap(([topic, all]) =>
		all.map((assumption) => ({ topic, assumption, ...verdictOn(assumption, evidence) })),
	);
}

function verdictOn({ check }: Assumption, evidence: Evidence): Verdict {
	try {
		return check(evidence);
	} catch (error) {
		// One answer that nobody thought of must not hide what the others told, nor what is left.
		return couldNotTell(`not understood: ${String(error)}`);
	}
}

/** `stated 4.1`: where the belief comes from. */
const basisOf = ({ stated }: Assumption) => (stated ? `stated ${stated}` : 'assumed');

function lineOf({ outcome, seen, assumption }: Finding): string {
	const mark = assumption.notReliedOn ? ' (not relied on)' : '';
	const start = `${outcome.padEnd(14)}  ${basisOf(assumption).padEnd(18)}`;
	return `${start}  ${assumption.says}${mark} | ${shorten(seen, EVIDENCE_LENGTH)}`;
}

/**
 * The findings as text, a line for each, by topic.
 *
 * @param wrote without writing, what only writing can tell is one line
 */
export function reportOf(findings: Finding[], wrote: boolean): string[] {
	const judged = findings.filter(({ assumption }) => wrote || !assumption.writes);
	const topics = [...new Set(judged.map(({ topic }) => topic))];
	const lines = topics.flatMap((topic) => [
		'',
		topic,
		...judged.filter((finding) => finding.topic === topic).map(lineOf),
	]);
	const unasked = findings.length - judged.length;
	if (unasked) lines.push('', `${unasked} assumptions about writes were not checked (--write)`);
	return [...lines, '', summaryOf(judged)];
}

function summaryOf(findings: Finding[]): string {
	const of = (outcome: Verdict['outcome']) => findings.filter((each) => each.outcome === outcome);
	const differ = of('differs');
	const harmless = differ.filter(({ assumption }) => assumption.notReliedOn).length;
	const note = harmless ? ` (${harmless} not relied on: the node works either way)` : '';
	const counts = [
		`${of('holds').length} hold`,
		`${differ.length} differ${note}`,
		`${of('could not tell').length} could not be told`,
	];
	return counts.join(', ');
}

/** What the probe leaves behind, as text; nothing for nothing. */
export function leftOf(left: readonly Made[]): string[] {
	if (!left.length) return [];
	const shown = ({ kind, label, id, externalId }: Made) => {
		const which = [id ?? 'id not seen, it may not exist', externalId].filter(Boolean).join(', ');
		return `  ${kind}${label === kind ? '' : ` ${label}`} (${which})`;
	};
	return ['', 'Left in the service:', ...left.map(shown)];
}
