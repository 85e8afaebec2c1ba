import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from './build.js';

/** Servers that end with the worker which started them, after the last test; caches of tools, and profiles of a browser that ends. */
const NOT_LEFT = /^(tokenctl-postgres-|tsx-|node-compile-cache|playwright|\.?(org|com)\.)/;

/**
 * Builds dist/ if it is older than its sources: tests run the built executable and the built sandbox worker. Gives the run a
 * folder of its own for temporary files, which goes when the run ends or is interrupted. What tests have left there fails the run.
 * @returns the check after the last test
 */
export async function setup(): Promise<() => void> {
  await buildIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'tokenctl-tests-'));
  // PostgreSQL servers run as another user.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  );
  return () => {
    const left = readdirSync(folder).filter((name) => !NOT_LEFT.test(name));
    if (left.length === 0) return;
    console.error(`\n LEFT BEHIND by tests in the folder for temporary files:\n   ${left.join('\n   ')}`);
    process.exitCode = 1;
  };
}
