import './lib/require-node.mjs';

// Loaded only now, when this Node is known to understand it.
await import('./commands/test-long.mjs');
