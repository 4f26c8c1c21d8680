import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

import ts from 'typescript';

import { readArguments } from '../lib/arguments.mts';
import { runCommand } from '../lib/command.mts';
import { fromRoot, requireDependencies, root } from '../lib/repository.mts';

const USAGE = `Refuses regular expressions in nodes/ and credentials/ that some text keeps busy for longer than in proportion to its length.

  npm run lint                 runs it as its last step`;

/**
 * recheck decides an expression by automata, which is exact, unless it looks around or refers back: such a one is tried
 * on texts that are bred. Neither has a time limit, and the texts are the same in every run, so that the speed of the
 * machine changes no result.
 */
const BY_AUTOMATA = { checker: 'automaton', timeout: null } as const;
const BY_TEXTS = {
	...{ checker: 'fuzz', randomSeed: 1 },
	...{ timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null },
} as const;

/** What is used of recheck. */
type CheckSync = (
	source: string,
	flags: string,
	parameters: typeof BY_AUTOMATA | typeof BY_TEXTS,
) =>
	| { status: 'safe' }
	| { status: 'unknown'; error: { kind: string } }
	| { status: 'vulnerable'; complexity: { summary: string }; attack: { pattern: string } };

interface Expression {
	file: string;
	line: number;
	/** Missing where the expression is built when the code runs, so that its pattern is unknown here. */
	literal?: { source: string; flags: string };
}

/** The regular expressions of a source file. */
function expressionsIn(file: string, code: string): Expression[] {
	const tree = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
	const found: Expression[] = [];
	const visit = (node: ts.Node): void => {
		const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
			found.push({ file, line, literal: { source, flags } });
		} else if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
			if (node.expression.getText() === 'RegExp') found.push({ file, line });
		}
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return found;
}

/** Why an expression is refused. Nothing for one that takes linear time. */
function faultOf({ literal }: Expression, checkSync: CheckSync): string | undefined {
	if (!literal) return 'is built at run time and cannot be checked. Write it as a literal.';
	const { source, flags } = literal;
	let found = checkSync(source, flags, BY_AUTOMATA);
	if (found.status === 'unknown') found = checkSync(source, flags, BY_TEXTS);
	if (found.status === 'safe') return undefined;
	if (found.status === 'unknown') return `cannot be checked: ${found.error.kind}`;
	return `takes ${found.complexity.summary} for a text such as ${found.attack.pattern}`;
}

await runCommand(async () => {
	readArguments(USAGE, {});
	requireDependencies();
	// The backend in JavaScript runs on every machine. recheck reads the variable when it is loaded.
	process.env.RECHECK_BACKEND = 'pure';
	const { checkSync } = createRequire(import.meta.url)('recheck') as { checkSync: CheckSync };
	const expressions: Expression[] = [];
	for (const folder of ['nodes', 'credentials']) {
		for (const name of await readdir(fromRoot(folder), { recursive: true })) {
			if (!name.endsWith('.ts')) continue;
			const path = join(fromRoot(folder), name);
			expressions.push(...expressionsIn(relative(root, path), await readFile(path, 'utf8')));
		}
	}
	let faults = 0;
	for (const expression of expressions) {
		const fault = faultOf(expression, checkSync);
		if (fault === undefined) continue;
		faults += 1;
		const { file, line, literal } = expression;
		console.log(`${file}:${line} ${literal ? `/${literal.source}/ ` : ''}${fault}`);
	}
	console.log(`${expressions.length} regular expressions, ${faults} refused`);
	return faults === 0 ? 0 : 1;
});
