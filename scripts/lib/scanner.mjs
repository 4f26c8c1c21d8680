import { relative } from 'node:path';

import {
	SOURCE_FILE_PATTERNS,
	buildScanConfig,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

/** The files that the scanner lints; its own command downloads them. */
const PATTERNS = { source: SOURCE_FILE_PATTERNS, packed: ['**/*.js', 'package.json'] };
const SEVERITIES = ['off', 'warning', 'error'];

/**
 * Lints like n8n's community package scanner (its `analyzePackage`), and also reports warnings, which the scanner drops
 * and reviewers ask about.
 * @param {string} folder of the package
 * @param {keyof typeof PATTERNS} place
 * @returns {Promise<{files: number, findings: string[]}>}
 */
export async function lintAsScanner(folder, place) {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
		errorOnUnmatchedPattern: false,
	});
	const results = await eslint.lintFiles(PATTERNS[place]);
	const findings = results.flatMap(({ filePath, messages }) =>
		messages.map(
			({ line, column, severity, message, ruleId }) =>
				`${relative(folder, filePath)}:${line}:${column} ${SEVERITIES[severity]} ${message} (${ruleId})`,
		),
	);
	return { files: results.length, findings };
}
