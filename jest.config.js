/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/**/*.test.mts'],
	moduleFileExtensions: ['mts', 'ts', 'mjs', 'js', 'json', 'node'],
	// Tests, sandbox and sources are TypeScript; type errors are `npm run lint`'s business (tsc).
	transform: {
		'^.+\\.m?ts$': [
			'@swc/jest',
			{
				jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
				module: { type: 'commonjs' },
			},
		],
	},
	// The build, as n8n loads it; for the type checker the same path names the source (tsconfig.dev.json).
	moduleNameMapper: { '^#built/(.*)$': '<rootDir>/dist/$1.js' },
	setupFiles: ['<rootDir>/test/helpers/environment.js'],
	// The last line counts what ran, for whoever reads only the end of a log.
	reporters: ['default', '<rootDir>/test/helpers/closing-line.js'],
	maxWorkers: 2,
	// A governor that waits for the end of a window has a timer, which n8n's process outlives and a test does not.
	forceExit: true,
	testTimeout: 30_000,
};
