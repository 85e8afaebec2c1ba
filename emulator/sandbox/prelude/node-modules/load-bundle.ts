import * as argumentError from '../bridge/argument-error.js';
import * as connectionOptions from '../bridge/connection-options.js';
import * as hostBridge from '../bridge/host-bridge.js';

type Require = (name: string) => unknown;

/** Files of the prelude that bundles share, by the name under which the build imports them (.config/build-sandbox.ts). */
const SHARED: Record<string, object> = {
  '#argument-error': argumentError,
  '#connection-options': connectionOptions,
  '#host-bridge': hostBridge,
};

const loaded = new Map<string, unknown>();

/**
 * Evaluates a file of `bundles/`, or a package of the build (.config/build-sandbox.ts), once. They are not part of the memory
 * image, because most reactors never need them.
 * @param require resolves the other modules that the bundle imports
 */
export function loadBundle(name: string, require: Require): unknown {
  if (!loaded.has(name)) {
    const module: { exports: { exported?: unknown } } = { exports: {} };
    const factory = hostBridge.getHost().loadModule(name);
    factory(module, module.exports, (request) => SHARED[request] ?? require(request));
    loaded.set(name, module.exports.exported ?? module.exports);
  }
  return loaded.get(name);
}
