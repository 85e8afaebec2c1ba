// Must be the first import: node-inspect-extracted reads all intrinsics of Node.js when it is loaded, and the engine is built
// without Atomics. `boot` removes the placeholder.
(globalThis as { Atomics?: unknown }).Atomics = {};
