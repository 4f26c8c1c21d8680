/**
 * Mutation tests of one pure module: StrykerJS changes the code bit by bit, and reports each change that no test notices.
 * What was tested before and has not changed since is not run again.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';

import { readArguments, wholeNumber } from '../lib/arguments.mjs';
import { runCommand } from '../lib/command.mjs';
import { Problem } from '../lib/problem.mjs';
import { fromRoot, requireDependencies } from '../lib/repository.mjs';
import { table } from '../lib/table.mjs';

/** The files of each module below nodes/IntegrationLeads/, and the tests in test/pure/ or the folder named that answer for them. */
const MODULES = {
	batch: {
		what: 'Answers to a batch, lead by lead',
		files: ['contract/batchAnswer.ts'],
		tests: ['batch'],
	},
	compare: {
		what: 'What a write did, and what came back',
		files: ['requests/compare.ts', 'run/sameRecord.ts', 'contract/outcome.ts'],
		tests: ['compare', 'sameRecord', 'outcome'],
	},
	contactMatch: {
		what: 'Whether a contact is the one looked for',
		files: ['contract/contactMatch.ts'],
		tests: ['contactMatch'],
	},
	convert: {
		what: 'Values that users and expressions give',
		files: ['values/convert.ts', 'values/placeholders.ts'],
		tests: ['convert', 'corpus/corpus'],
	},
	date: { what: 'Dates and time zones', files: ['values/date.ts'], tests: ['date'] },
	envelope: {
		what: 'What the service wraps its answers in',
		files: ['contract/envelope.ts'],
		tests: ['envelope'],
	},
	headings: {
		what: 'Columns of a spreadsheet',
		files: ['columns/headings.ts', 'columns/columns.ts'],
		tests: ['headings', 'corpus/corpus'],
	},
	identity: {
		what: 'Values that identify one record',
		files: ['values/identity.ts'],
		tests: ['identity', 'convert', 'corpus/corpus'],
	},
	pace: {
		what: 'The pace of requests within the rate limit',
		files: ['transport/pace.ts'],
		tests: ['pace', 'governor', 'concurrency'],
	},
	paginate: {
		what: 'Lists, page by page',
		files: ['transport/paginate.ts'],
		tests: ['paginate'],
	},
	phone: {
		what: 'Phones in international format',
		files: ['values/phone.ts'],
		tests: ['phone', 'phoneOracle', 'corpus/corpus'],
	},
	request: {
		what: 'From parameters to a request',
		files: ['prepare/request.ts', 'fields/converter.ts'],
		tests: ['request', 'argument', 'convert'],
	},
	retry: {
		what: 'Whether and when a request is sent again',
		files: ['transport/retry.ts', 'transport/answer.ts'],
		tests: ['retry', 'answer'],
	},
	written: {
		what: 'Dates and amounts as people write them',
		files: ['values/writtenDate.ts', 'values/amount.ts', 'values/conventions.ts'],
		tests: ['writtenDate', 'amount', 'conventions', 'corpus/corpus'],
	},
	windows: {
		what: 'Lists of leads, by windows of creation time',
		files: ['windows/bounds.ts', 'windows/listed.ts', 'windows/pieces.ts'],
		tests: ['bounds', 'listed', 'pieces'],
	},
};

await runCommand(async () => {
	const rows = Object.entries(MODULES).map(([module, { what, files }]) => ({
		module,
		'last run here': lastRun(module),
		'what it does': what,
		files: files.join(', '),
	}));
	const usage = `npm run mutate -- MODULE [--concurrency 1]\n\n${table(rows)}`;
	const { positionals, values } = readArguments(usage, {
		allowPositionals: true,
		options: { concurrency: { type: 'string', default: '1' } },
	});
	const [name] = positionals;
	if (name === undefined) {
		console.log(usage);
		return 0;
	}
	if (!Object.hasOwn(MODULES, name)) {
		throw new Problem(`There is no module "${name}".`, 'Run `npm run mutate` to list them.');
	}
	requireDependencies();
	const { Stryker } = await import('@stryker-mutator/core');
	await new Stryker(
		optionsFor(name, wholeNumber('concurrency', values.concurrency)),
	).runMutationTest();
	return 0;
});

/** What is left of the last run of a module, for the next one. */
function resultOf(name) {
	return `node_modules/.cache/stryker/${name}.json`;
}

/** Score and date of the last run of a module, such as "97.9 % of 94, 2026-11-23". */
function lastRun(name) {
	const file = fromRoot(resultOf(name));
	if (!existsSync(file)) return 'none';
	const mutants = Object.values(JSON.parse(readFileSync(file, 'utf8')).files).flatMap(
		(each) => each.mutants,
	);
	const countOf = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
	const noticed = countOf('Killed', 'Timeout');
	const all = noticed + countOf('Survived', 'NoCoverage');
	const score = ((100 * noticed) / all).toFixed(1);
	return `${score} % of ${all}, ${statSync(file).mtime.toISOString().slice(0, 10)}`;
}

/** Jest loads nothing but the tests of the module: how long that takes decides how long a mutant takes. */
function optionsFor(name, concurrency) {
	const files = MODULES[name].files.map((file) => `nodes/IntegrationLeads/${file}`);
	const tests = MODULES[name].tests.map(
		(test) => `test/${test.includes('/') ? test : `pure/${test}`}.test.mts`,
	);
	const missing = [...files, ...tests].filter((file) => !existsSync(fromRoot(file)));
	if (missing.length > 0) {
		throw new Problem(
			`The list of modules names files that are not there: ${missing.join(', ')}.`,
			'Correct it in scripts/commands/mutate.mjs.',
		);
	}
	return {
		mutate: files,
		ignorePatterns: [
			'**',
			'!nodes/**',
			'!credentials/**',
			'!test/pure/**',
			'!test/corpus/**',
			'!test/helpers/**',
			'!sandbox/**',
			'!openapi.*',
			'!jest.config.js',
		],
		testRunner: 'jest',
		plugins: ['@stryker-mutator/jest-runner'],
		// What is not said here is as in jest.config.js.
		jest: {
			projectType: 'custom',
			enableFindRelatedTests: false,
			config: {
				setupFiles: [],
				moduleNameMapper: {},
				roots: ['<rootDir>/nodes', '<rootDir>/test'],
				testMatch: tests.map((test) => `<rootDir>/${test}`),
				watchman: false,
			},
		},
		coverageAnalysis: 'perTest',
		// A busy machine is slow, which is no endless loop.
		timeoutMS: 30_000,
		incremental: true,
		incrementalFile: resultOf(name),
		concurrency,
		reporters: ['clear-text', 'progress-append-only'],
		clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
		allowConsoleColors: false,
		thresholds: { high: 94, low: 94, break: null },
	};
}
