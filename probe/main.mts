import { run } from './cli.mts';

const cancel = new AbortController();
// The second Ctrl-C ends it at once; after the first it still cleans up.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cancel.abort());
process.exitCode = await run(process.argv.slice(2), process.env, console.log, cancel.signal);
