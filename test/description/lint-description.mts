/**
 * Lints TypeScript with the rules of `n8n-node lint`: reads sources by the file in which they would stand, as JSON, from
 * standard input, and prints the findings by file as JSON. A process of its own, because ESLint loads its rules as ES
 * modules.
 */
import { ESLint, type Linter } from 'eslint';
import { text } from 'node:stream/consumers';

import { config } from '@n8n/node-cli/eslint';

// The same type, as another package declares it.
const overrideConfig = config as Linter.Config[];
const eslint = new ESLint({ overrideConfigFile: true, overrideConfig });
const sources = JSON.parse(await text(process.stdin)) as Record<string, string>;
const findings: Record<string, object[]> = {};
for (const [filePath, source] of Object.entries(sources)) {
	const [{ messages }] = await eslint.lintText(source, { filePath });
	const lines = source.split('\n');
	findings[filePath] = messages.map(({ ruleId, message, line = 1 }) => ({
		rule: ruleId,
		message,
		at: lines.slice(Math.max(0, line - 4), line + 6).join('\n'),
	}));
}
console.log(JSON.stringify(findings));
