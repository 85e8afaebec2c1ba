import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type DataDirOptions, openStore } from '../../emulator/store/open-store.js';
import type { Store } from '../../emulator/store/store.js';

/** A directory for a store, gone after the test. */
export async function temporaryDataDir(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-store-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'data');
}

/** Warnings of the stores opened in a test. */
export const warnings: string[] = [];

/** Closed at the end of the test, if not before. */
export async function open(dataDir: string, options: Partial<DataDirOptions> = {}): Promise<Store> {
  warnings.length = 0;
  const store = await openStore({ dataDir, logger: { warn: (text) => warnings.push(text) }, ...options });
  onTestFinished(() => store.close());
  return store;
}

export async function filesOf(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Every way in which a text could stand in a file of the data directory. */
export async function holds(dataDir: string, text: string): Promise<boolean> {
  const forms = [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    Buffer.from(text).toString('hex'),
    // The middle of the base64 of any text that holds it, by where it begins.
    ...[0, 1, 2].map((shift) =>
      Buffer.from('x'.repeat(shift) + text)
        .toString('base64')
        .slice(shift === 0 ? 0 : 4)
        .slice(0, -4),
    ),
  ];
  const contents = await Promise.all(
    (await filesOf(dataDir)).map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  return contents.some((content) => forms.some((form) => content.includes(form)));
}
