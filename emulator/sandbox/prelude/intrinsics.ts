// Imported before everything else: node-inspect-extracted looks at all intrinsics of Node.js when it is loaded, and the
// engine is built without Atomics.
const intrinsics = globalThis as { Atomics?: unknown };
intrinsics.Atomics ??= {};
