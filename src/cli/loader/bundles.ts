import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { type CompiledBundle, readCodeCache } from './code-cache.js';

/** Set by the build: whether every process stores what it has compiled, because the build fills the cache. */
declare const FILLS_CACHE: boolean;

type Wrapper = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  filename: string,
  dirname: string,
) => void;

const loaded = new Map<string, { exports: object }>();
const stored: CompiledBundle[] = [];

/**
 * Loads a bundle of dist/ like `require`, but lets V8 take the code that it has compiled before from the code cache:
 * goals S1 and S2, `token get` 2.53 → 2.15. Bundles require each other by a relative path, everything else as usual.
 * @param name relative to dist/: `start.cjs`, `vendor/yaml.cjs`
 */
export function loadBundle(name: string): object {
  const known = loaded.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const file = `${__dirname}/${name}`;
  compile(name, file)(
    module.exports,
    (id) => (id.startsWith('.') ? loadBundle(id.replace(/^(\.\.?\/)+/, '')) : require(id)),
    module,
    file,
    dirname(file),
  );
  return module.exports;
}

function compile(name: string, file: string): Wrapper {
  const cachedData = readCodeCache(name);
  // esbuild writes ASCII only, which is read faster as latin1: the emulator in 1.4 ms, not 3.6 (goal S3).
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'latin1')}\n})`;
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  if (!cachedData || script.cachedDataRejected || FILLS_CACHE) storeOnExit({ name, script });
  return script.runInThisContext();
}

/** Stores the code of a bundle at the exit of the process, when V8 has compiled the functions that a command uses. */
function storeOnExit(bundle: CompiledBundle): void {
  if (stored.push(bundle) > 1) return;
  const { cachedDataVersionTag } = require('node:v8') as typeof import('node:v8');
  const compiler = cachedDataVersionTag();
  process.once('exit', () => {
    const { storeCodeCache } = require('./store-code-cache.cjs') as typeof import('./store-code-cache.js');
    // A command that has changed options of V8 would store code that no other accepts.
    if (cachedDataVersionTag() === compiler) storeCodeCache(stored);
  });
}
