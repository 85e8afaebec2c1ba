import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { usageError } from '../../lib/errors.js';
import { textOf } from '../../lib/text-decoding.js';

/** Text without byte order mark and with the line ends of Unix: the same file checked out on Windows is no change. */
export function normalized(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/**
 * The normalized text of a file.
 * @param what it is, for the error: `the manifest`, `--env-file`.
 * @throws {CliError} when it cannot be read.
 */
export async function readText(path: string, what: string): Promise<string> {
  const bytes = await readFile(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw usageError(`${what} cannot be read: ${path} (${code}).`);
  });
  return normalized(textOf(bytes, `${what}, ${path},`));
}

/** A path as it is shown and kept: relative to `directory`, with forward slashes on every system. */
export function shownPath(path: string, directory: string): string {
  return relative(directory, path).replaceAll('\\', '/') || '.';
}
