// Imported before everything else: node-inspect-extracted looks at all intrinsics of Node.js when it is loaded, and the
// engine is built without Atomics. `boot` takes it away again.
(globalThis as { Atomics?: unknown }).Atomics = {};
