import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { makeDirectories } from '../lib/make-directories.js';
import { type CompiledBundle, cacheFileName, userCacheDir } from './code-cache.js';

/** Writes a file completely or not at all, also across a power loss: V8 does not check cached code for damage. */
function writeDurably(path: string, content: Buffer): void {
  const temporary = `${path}.${process.pid}`;
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Stores the compiled code of bundles in the user's cache. Other V8 options compile other code, so a process with options
 * of its own stores nothing. Does nothing when the directory cannot be written.
 */
export function storeCodeCache(bundles: readonly CompiledBundle[]): void {
  const { NODE_OPTIONS, NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env;
  if (NODE_OPTIONS || NODE_DISABLE_COMPILE_CACHE || NODE_V8_COVERAGE || process.execArgv.length > 0) return;
  const directory = userCacheDir();
  if (directory === undefined) return;
  try {
    makeDirectories(directory, 0o700);
    for (const { name, script } of bundles)
      writeDurably(`${directory}/${cacheFileName(name)}`, script.createCachedData());
  } catch {
    // The next start compiles again.
  }
}
