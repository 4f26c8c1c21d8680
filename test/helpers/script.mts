import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/**
 * Evaluates an expression with the exports of a file of scripts/lib/, which Node loads and jest cannot.
 *
 * @param file such as `machine.mjs`
 * @param expression of JSON, with the exports by their names
 * @returns the value as JSON has it, null for undefined
 */
export function evaluate(file: string, names: string[], expression: string): unknown {
	const code = `
		import { ${names.join(', ')} } from './scripts/lib/${file}';
		console.log(JSON.stringify(${expression}) ?? 'null');`;
	const args = ['--input-type=module', '--eval', code];
	return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }));
}
