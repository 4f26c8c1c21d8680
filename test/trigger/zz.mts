import fc from 'fast-check';
import { simulate } from './simulate.mts';
import { small } from './scenarios.mts';
const arb = small.chain((s) => fc.record({ ...(Object.fromEntries(Object.entries(s).map(([n, v]) => [n, fc.constant(v)])) as any), leads: fc.integer({min:0,max:150}), pageSize: fc.constantFrom(20, 25), cap: fc.constantFrom(120, 240), crowd: fc.constantFrom(40, 60), operations: fc.constantFrom(10, 30) })) as typeof small;
const t = Date.now(); let n = 0, r = 0;
while (Date.now() - t < 400_000) { fc.assert(fc.property(arb, (s) => { n++; const o = simulate(s); if (o.violations.length) throw new Error(JSON.stringify(s) + o.violations.join('\n')); }), { seed: 900 + r++, numRuns: 100 }); }
console.log('done', n);
