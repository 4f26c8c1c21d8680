import './lib/require-node.mjs';

// A dynamic import, because it may need a newer Node than this one.
await import('./commands/measure.mjs');
