import { usageError } from './errors.js';
import { describeFileError } from './file-error.js';
import { decodeText } from './text-decoding.js';

/**
 * Reads a text file.
 * @param what names the file in errors, with its path: `The seed file seed.json`
 * @throws {CliError} when it cannot be read or has an unsupported encoding
 */
export async function readTextFile(path: string, what: string): Promise<string> {
  // Most commands read no file: goal S2.
  const { readFile } = await import('node:fs/promises');
  const bytes = await readFile(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw usageError(`${what} cannot be read: ${describeFileError(code)}.`);
  });
  return decodeText(bytes, what);
}
