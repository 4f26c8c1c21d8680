/**
 * Lints TypeScript from standard input with the rules of `n8n-node lint`, as if it stood in the file named by the
 * first argument, and prints the findings as JSON. A process of its own, because ESLint loads its rules as ES modules.
 */
import { ESLint } from 'eslint';
import { text } from 'node:stream/consumers';
import { format } from 'prettier';

import { config } from '@n8n/node-cli/eslint';

const [filePath] = process.argv.slice(2);
const source = await format(await text(process.stdin), {
	parser: 'typescript',
	useTabs: true,
	singleQuote: true,
});
const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: config });
const [{ messages }] = await eslint.lintText(source, { filePath });
const lines = source.split('\n');
const findings = messages.map(({ ruleId, message, line = 1 }) => ({
	rule: ruleId,
	message,
	at: lines.slice(Math.max(0, line - 4), line + 6).join('\n'),
}));
console.log(JSON.stringify(findings));
