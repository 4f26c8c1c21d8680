// `node --import tsx scripts/run.mts NAME …` runs scripts/commands/NAME.mts, which is loaded only after this check of Node's version.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(
	readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { engines: { node: string } };
const wanted = engines.node.replace('>=', '');
if (process.versions.node.localeCompare(wanted, 'en', { numeric: true }) < 0) {
	console.error(
		`This needs Node ${wanted} or newer, and ${process.execPath} is ${process.version}.`,
	);
	process.exit(1);
}
const [name] = process.argv.splice(2, 1);
await import(`./commands/${name}.mts`);
