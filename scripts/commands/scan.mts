import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

import type { Linter } from 'eslint';

import { readArguments } from '../lib/arguments.mts';
import { runCommand } from '../lib/command.mts';
import { run, temporaryFolder } from '../lib/processes.mts';
import { CommandError } from '../lib/commandError.mts';
import { fromRoot, pack, requireDependencies, root } from '../lib/repository.mts';

const USAGE = `Packs the package, and checks source and tarball with the rules of n8n's community scanner.

  npm run scan                 after \`npm run build\``;

const SEVERITIES = ['off', 'warning', 'error'];

/** Text that must not be published. */
const FORBIDDEN_TEXTS = [
	{
		// The home folder in n8n's Docker image is the same for everybody.
		pattern: /(?<![\w/.:-])\/(?!home\/node\/\.n8n)(home|Users|root|tmp|var\/folders)\/[\w.-]+/,
		what: 'an absolute path',
	},
	{ pattern: /file:\/\/\//, what: 'a file URL' },
	// Spec part 5: <prefix>_live_… and <prefix>_test_…; placeholders are shorter than a key.
	{ pattern: /\b[A-Za-z0-9]{2,}_(live|test)_[A-Za-z0-9]{8,}/, what: 'what looks like an API key' },
	{ pattern: /\b(npm|gh[pousr])_[A-Za-z0-9]{30,}/, what: 'what looks like an access token' },
];

/**
 * Lints like n8n's community package scanner (its `analyzePackage`, whose command downloads the package), and also reports
 * warnings, which the scanner drops and reviewers ask about.
 */
async function lintAsScanner(
	folder: string,
	patterns: string[],
	overrideConfig: Linter.Config[],
): Promise<string[]> {
	const { ESLint } = await import('eslint');
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig,
		errorOnUnmatchedPattern: false,
	});
	const results = await eslint.lintFiles(patterns);
	return results.flatMap(({ filePath, messages }) =>
		messages.map(
			({ line, column, severity, message, ruleId }) =>
				`${relative(folder, filePath)}:${line}:${column} ${SEVERITIES[severity]} ${message} (${ruleId})`,
		),
	);
}

/** Secrets and paths of this machine. */
async function forbiddenTexts(folder: string): Promise<string[]> {
	const findings: string[] = [];
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const path = join(entry.parentPath, entry.name);
		const text = await readFile(path, 'utf8');
		for (const { pattern, what } of FORBIDDEN_TEXTS) {
			const found = pattern.exec(text)?.[0];
			if (found) findings.push(`${relative(folder, path)} holds ${what}: ${found}`);
		}
		if (text.includes(root)) findings.push(`${relative(folder, path)} names ${root}`);
	}
	return findings;
}

await runCommand(async () => {
	readArguments(USAGE, {});
	requireDependencies();
	if (!existsSync(fromRoot('dist'))) {
		throw new CommandError('There is nothing to pack yet.', 'Run `npm run build` first.');
	}
	// Needs what `npm ci` installs, so not before this is known to be there.
	const scanner = await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const folder = temporaryFolder('scan');
	const unpacked = await run('tar', ['-xzf', await pack(folder), '-C', folder]);
	if (unpacked.code !== 0) throw new Error(unpacked.output);
	const packed = join(folder, 'package');
	const rules = await scanner.buildScanConfig();
	const findings = {
		'Scanner rules on the source': await lintAsScanner(root, scanner.SOURCE_FILE_PATTERNS, rules),
		'Scanner rules on the packed package': await lintAsScanner(
			packed,
			['**/*.js', 'package.json'],
			rules,
		),
		'Texts of the packed package': await forbiddenTexts(packed),
	};
	for (const [label, found] of Object.entries(findings))
		console.log([`${label}: ${found.length === 0 ? 'no findings' : ''}`, ...found].join('\n  '));
	const count = Object.values(findings).flat().length;
	console.log(`scan: ${count} findings`);
	return count === 0 ? 0 : 1;
});
