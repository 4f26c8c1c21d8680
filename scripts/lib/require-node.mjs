// Imported first by every command, for its effect. Plain syntax only, and the commands load everything else with a
// dynamic import, so that an old Node can print the message below.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(
	readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const numbers = (version) => version.match(/\d+/g).map(Number);
const [major, minor = 0] = numbers(engines.node);
const [runningMajor, runningMinor] = numbers(process.versions.node);

if (runningMajor < major || (runningMajor === major && runningMinor < minor)) {
	console.error(
		`This needs Node ${engines.node}, and ${process.execPath} is ${process.version}.\n` +
			'Install a newer Node (the current LTS is a good choice) and run the command again.',
	);
	process.exit(1);
}
