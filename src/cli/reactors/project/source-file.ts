import { relative } from 'node:path';
import { readTextFile } from '../../lib/text-file.js';

/** Removes the byte order mark and converts line ends to LF, so that a checkout on Windows is not a change. */
export function normalizeText(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/**
 * Reads a UTF-8 file as normalized text.
 * @param what Names the file in errors: `The plan`, `--env-file`.
 * @throws {CliError} if it cannot be read or is not UTF-8.
 */
export async function readText(path: string, what: string): Promise<string> {
  return normalizeText(await readTextFile(path, `${what} ${path}`));
}

/** Formats a path for output and reports: relative to `directory`, with forward slashes on every system. */
export function displayPath(path: string, directory: string): string {
  return relative(directory, path).replaceAll('\\', '/') || '.';
}
