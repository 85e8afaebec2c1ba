import './web/atomics-placeholder.js';
import { describeThrown } from '../runtime/describe-thrown.js';
import { deliver } from './bridge/async-calls.js';
import type { Host } from './bridge/host.js';
import { setHost } from './bridge/host-bridge.js';
import { Invoker } from './bridge/invoker.js';
import { installStackTraces, setSource } from './bridge/stack-traces.js';
import { installGlobals } from './globals.js';
import { createRequire } from './node-modules/require.js';

/**
 * Makes of a bare engine what reactor code expects of Node.js. Runs once per instance, before any reactor code.
 * @returns what the host calls; strings are JSON.
 */
export function boot(host: Host, maxOutput: number) {
  setHost(host);
  Reflect.deleteProperty(globalThis, 'Atomics');
  const require = createRequire(host);
  const invoker = new Invoker(host, require, maxOutput);
  installStackTraces();
  installGlobals(host);
  // For the bridges between `import` and `require`; gives reactor code nothing that it has not.
  Object.defineProperty(globalThis, REQUIRE, { value: require });
  collectGarbage();
  return {
    deliver,
    setSource,
    describe: (error: unknown) => JSON.stringify(describeThrown(error)),
    loadCommonJs: invoker.loadCommonJs.bind(invoker),
    loadModule: (namespace: unknown) => void invoker.loadModule(namespace),
    fail: invoker.fail.bind(invoker),
    invoke: invoker.invoke.bind(invoker),
    exportNames: (name: string) => JSON.stringify(Object.keys(require(name) as object)),
  };
}

const REQUIRE = Symbol.for('require');

/** More than the prelude itself takes. Bytes. */
const BALLAST = 4 * 1024 * 1024;

/**
 * The cycle collector (several milliseconds, most of it for the prelude) runs when memory has grown by half since it last
 * ran. It runs here, with ballast, so that the first invocations do not pay for it.
 */
function collectGarbage(): void {
  const ballast = new ArrayBuffer(BALLAST);
  Object.create(null, { ballast: { value: ballast } });
}
