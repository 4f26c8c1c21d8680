/**
 * n8n's linter reads literals. The panel is derived from declarations, so it is printed as the literal it stands for
 * and linted as such.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { itLong } from '../helpers/long.mts';
import { registered } from './nodes.mts';

const ROOT = join(__dirname, '../..');

/** In a test environment the rules take every file for the one that their own tests name. */
const env = { ...process.env, NODE_ENV: 'production' };

/** A value as a TypeScript literal. Names stay bare and outputs named, because the rules look for that. */
function print(value: unknown, key = ''): string {
	if (Array.isArray(value)) return `[${joined(value.map((each) => print(each, key)))}]`;
	if ((key === 'inputs' || key === 'outputs') && value === 'main')
		return 'NodeConnectionTypes.Main';
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const members = Object.entries(value).filter(([, member]) => member !== undefined);
	return `{${joined(members.map(([name, member]) => `${nameOf(name)}: ${print(member, name)}`))}}`;
}

/** In lines, since a finding is reported with those around it. */
const joined = (parts: string[]) => parts.join(parts.join().length > 60 ? ',\n' : ', ');

function nameOf(name: string): string {
	return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}

const sources = Object.fromEntries(
	registered.map(({ className, file, node }) => [
		file,
		`import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
		import { NodeConnectionTypes } from 'n8n-workflow';
		export class ${className} implements INodeType {
			description: INodeTypeDescription = ${print(node.description)};
		}`,
	]),
);

interface Finding {
	rule: string;
	message: string;
	at: string;
}

// The last of the resources is for what the others lack, as n8n's own Custom API Call is.
const isLastResource = ({ rule, message }: Finding) =>
	rule.endsWith('options-type-unsorted-items') && message.includes('Order: API Request');
// A status, a priority, a source or a tag is a word: it has no ID that a label or a description could offer.
const isWord = ({ rule, at }: Finding) =>
	/-wrong-for-dynamic-(multi-)?options$/.test(rule) &&
	/loadOptionsMethod: "get(Statuses|Priorities|Sources|Tags)"/.test(at);

// The rule knows no names.
const isName = ({ rule, at }: Finding) =>
	rule.endsWith('operation-option-action-miscased') &&
	at.includes('action: "Log message from WhatsApp"');

itLong('n8n would find fault with nothing', () => {
	const script = join(__dirname, 'lint-description.mts');
	const input = JSON.stringify(sources);
	const child = spawnSync(process.execPath, ['--import', 'tsx', script], { cwd: ROOT, env, input });
	expect(child.stderr.toString()).toBe('');
	const findings = JSON.parse(child.stdout.toString()) as Record<string, Finding[]>;
	expect(Object.keys(findings)).toHaveLength(2);
	const faults = Object.values(findings).flat();
	expect(faults.filter((each) => !isLastResource(each) && !isWord(each) && !isName(each))).toEqual(
		[],
	);
});
