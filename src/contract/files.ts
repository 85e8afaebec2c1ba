import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Codes with which Windows refuses to replace a file that another program, such as a virus scanner, has open for a moment. */
const PASSING: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Pauses before the next attempts, in milliseconds: 1.3 s in all. */
const PAUSES_MS = [10, 20, 40, 80, 160, 320, 640];

/** Renames a file and replaces the one that has the name. On Windows, waits while another program has one of them open. */
export async function renameFile(
  from: string,
  to: string,
  { platform = process.platform, rename = fs.renameSync } = {},
): Promise<void> {
  for (const pauseMs of platform === 'win32' ? PAUSES_MS : []) {
    try {
      return rename(from, to);
    } catch (error) {
      if (!PASSING.has((error as NodeJS.ErrnoException).code)) throw error;
      await sleep(pauseMs);
    }
  }
  rename(from, to);
}

const isDirectory = (path: string): boolean =>
  fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Creates a directory and its missing parents. Level by level, because `recursive` of Node.js 24 and older never returns below a
 * directory that exists but answers ENOENT to a new entry, as `/proc` does.
 * @throws {NodeJS.ErrnoException} with the path that cannot be created
 */
export function makeDirectories(path: string, mode?: number): void {
  try {
    fs.mkdirSync(path, { mode });
  } catch (error) {
    if (isDirectory(path)) return;
    const parent = dirname(path);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== path;
    if (!isMissing || isDirectory(parent)) throw error;
    makeDirectories(parent, mode);
    makeDirectories(path, mode);
  }
}

/** Returns the path of a file of this package. @param name as package.json has it: `#elements/frame.js`, `tokenctl/package.json` */
export const packageFile = (name: string): string => createRequire(import.meta.url).resolve(name);
