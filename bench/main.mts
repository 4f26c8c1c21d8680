// `npm run bench -- NAME …` runs the benchmark of that name; each has a `--help`.
import { tsImport } from 'tsx/esm/api';

import { fromRoot } from '../scripts/lib/repository.mts';

const BENCHMARKS: Record<string, string> = {
	list: 'list.mts',
	n8n: 'n8n/main.mts',
	trigger: 'trigger.mts',
	queue: 'queue.mts',
	longText: 'longText.mts',
	conversions: 'conversions.mts',
};

const [name] = process.argv.splice(2, 1);
if (!(name in BENCHMARKS)) {
	console.error(`npm run bench -- ${Object.keys(BENCHMARKS).join('|')}`);
	process.exit(1);
}
// What is measured is the build, to which that configuration leads.
const tsconfig = fromRoot('bench', 'tsconfig.json');
await tsImport(`./${BENCHMARKS[name]}`, { parentURL: import.meta.url, tsconfig });
