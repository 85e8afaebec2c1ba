// Prepares a bare engine for reactor code. Runs when the sandbox is built; instances start from a copy of the memory. What differs
// between instances must therefore not be read here: times, random numbers.
// Constants of Node.js are those of the build.
import './globals.js';
import './web/fetch.js';
import { describeThrown } from '../runtime/describe-thrown.js';
import { deliver, setNames } from './bridge/host.js';
import { installStackTraces, setSource } from './bridge/stack-traces.js';
import * as invoker from './invoker.js';
import { requireModule, setPackages } from './node-modules/require.js';

/** Receives the functions that the host calls, whose strings are JSON. A parameter of the function around the prelude. */
declare const preludeApi: object;

// Only for packages, which read all globals when they are evaluated.
for (const name of ['Atomics', 'MessagePort']) Reflect.deleteProperty(globalThis, name);
installStackTraces();
// Read by the modules that make `require` available to `import`. Reactor code has `require` anyway.
Object.defineProperty(globalThis, Symbol.for('require'), { value: requireModule });
Object.assign(preludeApi, {
  deliver,
  setSource,
  setNames,
  setPackages,
  describe: (error: unknown) => JSON.stringify(describeThrown(error)),
  ...invoker,
  exportNames: (name: string) => JSON.stringify(Object.keys(requireModule(name) as object)),
});
