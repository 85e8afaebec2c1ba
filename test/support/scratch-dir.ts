import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Makes a directory for the tests of the file or block that calls it, which goes after them. */
export function scratchDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tokenctl-test-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return directory;
}
