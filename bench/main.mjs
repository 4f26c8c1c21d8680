// `npm run bench -- NAME …` runs the benchmark of that name; each has a `--help`.
import { tsImport } from 'tsx/esm/api';

import { fromRoot } from '../scripts/lib/repository.mts';

const BENCHMARKS = {
	list: 'list.mjs',
	n8n: 'n8n/main.mjs',
	trigger: 'trigger.mts',
	longText: 'longText.mts',
	conversions: 'conversions.mjs',
};

const [name] = process.argv.splice(2, 1);
const file = BENCHMARKS[name];
if (!file) {
	console.error(`npm run bench -- ${Object.keys(BENCHMARKS).join('|')}`);
	process.exit(1);
}
const tsconfig = fromRoot('bench', 'tsconfig.json');
await (file.endsWith('.mts')
	? tsImport(`./${file}`, { parentURL: import.meta.url, tsconfig })
	: import(`./${file}`));
