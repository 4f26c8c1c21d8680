import fc from 'fast-check';
import { regressions } from './regressions.mts';
import { large, small } from './scenarios.mts';
import { simulate } from './simulate.mts';
const t = process.cpuUsage().user; let ops = 0; const fails: string[] = [];
const run = (name: string, s: any) => { try { const r = simulate(s); ops += r.operations; if (r.violations.length) fails.push(name + ': ' + r.violations[0]); } catch (e) { fails.push(name + ' threw ' + String(e).slice(0, 100)); } };
for (const [name, s] of regressions) run('R ' + name, s);
const [nSmall, nLarge] = process.argv.slice(2).map(Number);
for (const seed of [1, 2]) { for (const s of fc.sample(small, { seed, numRuns: nSmall })) { run('small', s); if (fails.length > 1) break; } for (const s of fc.sample(large, { seed, numRuns: nLarge })) { if (fails.length > 1) break; run('large', s); } }
console.log(JSON.stringify({ ops, cpu: Math.round((process.cpuUsage().user - t) / 1e6), fails: fails.length, which: fails.slice(0, 4) }));
