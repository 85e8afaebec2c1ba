import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Creates a directory and its missing parents. Level by level, because `recursive` of Node.js never returns below a directory
 * that exists but answers ENOENT to a new entry, as `/proc` does.
 * @throws {NodeJS.ErrnoException} with the path that cannot be created
 */
export function makeDirectories(path: string, mode?: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (isDirectory(path)) return;
    const parent = dirname(path);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== path;
    if (!isMissing || isDirectory(parent)) throw error;
    makeDirectories(parent, mode);
    makeDirectories(path, mode);
  }
}
