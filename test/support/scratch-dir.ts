import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Returns a directory with these files, which is there while the tests of the file or block that calls it run. */
export function scratchDir(files: Readonly<Record<string, string>> = {}): string {
  const directory = join(tmpdir(), `tokenctl-test-${randomUUID()}`);
  beforeAll(() => {
    mkdirSync(directory, { mode: 0o700 });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), text);
    }
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return directory;
}
