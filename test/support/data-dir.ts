import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { onTestFinished } from 'vitest';
import { type DataDirOptions, openStore } from '../../emulator/store/disk-store.js';
import * as lines from '../../emulator/store/journal/line.js';
import type { TokenRecord } from '../../emulator/store/records.js';
import type { Store } from '../../emulator/store/store.js';

/** Returns the path of a data directory that does not exist yet. It is removed after the test. */
export async function temporaryDataDir(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-store-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'data');
}

/** The warnings of the store that was opened last. */
export const warnings: string[] = [];

/** Opens a store, which is closed at the end of the test at the latest. */
export async function open(dataDir: string, options: Partial<DataDirOptions> = {}): Promise<Store> {
  warnings.length = 0;
  const { store } = await openStore({ dataDir, logger: { warn: (text) => warnings.push(text) }, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** Returns a data directory with these tokens, each from a commit of its own, that was closed. */
export async function closedDirectory(
  tokens: readonly TokenRecord[],
  options: Partial<DataDirOptions> = {},
): Promise<string> {
  const dataDir = await temporaryDataDir();
  const store = await open(dataDir, options);
  for (const record of tokens) await store.commit([{ insert: 'tokens', record }]);
  await store.close();
  return dataDir;
}

/** Returns a copy of a data directory in use: what a kill would leave now. */
export async function asKilled(dataDir: string): Promise<string> {
  const copy = await temporaryDataDir();
  for (const path of await filesOf(dataDir)) {
    const target = join(copy, relative(dataDir, path));
    await mkdir(dirname(target), { recursive: true });
    // What does not count may be removed in the meantime.
    await copyFile(path, target).catch(ignoreMissing);
  }
  await rm(join(copy, 'lock'));
  return copy;
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

export async function filesOf(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Whether any file of the data directory contains a text, plain or encoded as JSON, URL, hexadecimal or base64. */
export async function holds(dataDir: string, text: string): Promise<boolean> {
  const forms = [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    Buffer.from(text).toString('hex'),
    // In base64 the encoding depends on the offset modulo 3. The first and last characters depend on the neighbours.
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

/** Formats a line of the journal as text. */
export const formatLine = (line: lines.Line): string => lines.formatLine(line).toString('utf8');
