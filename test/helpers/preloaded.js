/**
 * Jest's environment for Node with the large libraries loaded once for each worker, not once for each test file: n8n's
 * engine alone takes two seconds.
 */
require('./environment.js');
const { TestEnvironment } = require('jest-environment-node');

const names = [
	'n8n-core',
	'n8n-workflow',
	'ajv/dist/2020.js',
	'fast-check',
	'fastify',
	'lodash',
	'luxon',
	'yaml',
	'zod',
];
const preloaded = Object.fromEntries(names.map((name) => [name, require(name)]));

module.exports = class extends TestEnvironment {
	constructor(...given) {
		super(...given);
		const { global } = this;
		global.preloaded = preloaded;
		// The libraries are in another realm than the test file: `instanceof` has to hold in both.
		Object.setPrototypeOf(global.Error.prototype, Error.prototype);
		Object.assign(global, { Error, Date });
	}
};
