/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/helpers/preloaded.js',
	testMatch: ['<rootDir>/test/**/*.test.mts'],
	moduleFileExtensions: ['mts', 'ts', 'mjs', 'js', 'json', 'node'],
	// Tests, sandbox and sources are TypeScript. `npm run lint` checks types.
	transform: {
		'^.+\\.m?ts$': [
			'@swc/jest',
			{
				jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
				module: { type: 'commonjs' },
			},
		],
	},
	// The build, as n8n loads it. For the type checker the same path is the source (tsconfig.dev.json).
	moduleNameMapper: { '^#built/(.*)$': '<rootDir>/dist/$1.js' },
	setupFiles: ['<rootDir>/test/helpers/usePreloaded.js'],
	setupFilesAfterEnv: ['<rootDir>/test/helpers/properties.mts'],
	// The last line of the log has the counts.
	reporters: ['default', '<rootDir>/test/helpers/closing-line.js'],
	maxWorkers: 2,
	testTimeout: 30_000,
};
