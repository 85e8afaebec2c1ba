import { parse } from 'node:path';
import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { findNearest } from '../../contract/nearest.js';
import { type CliError, describeFileError, usageError } from './errors.js';

export async function readTextFile(path: string, what: string): Promise<string> {
  // Most commands read no file: goal S2.
  const { readFile } = await import('node:fs/promises');
  const bytes = await readFile(path).catch(async ({ code }: NodeJS.ErrnoException) => {
    throw await unreadableError(path, what, code);
  });
  return decodeText(bytes, what);
}

/** Says where a file that is missing was looked for, and which one there has nearly its name. */
export async function unreadableError(path: string, what: string, code?: string): Promise<CliError> {
  const { readdir } = await import('node:fs/promises');
  const { base, dir } = parse(path);
  const nearest = findNearest(base, code === 'ENOENT' ? await readdir(dir).catch(() => []) : []);
  const place = code !== 'ENOENT' || what.includes(path) ? '' : `It was looked for at ${path}.`;
  const hint = [place, nearest === undefined ? '' : `Did you mean ${nearest}?`].filter(Boolean).join(' ');
  return usageError(`${what} cannot be read: ${describeFileError(code)}.`, hint || undefined);
}

/** Chooses UTF-8, or UTF-16 by its byte order mark. Invalid bytes throw instead of being replaced without notice. */
function createDecoder(start: Uint8Array): TextDecoder {
  const isUtf16 = start[0] === 0xff && start[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true });
}

function encodingError(what: string): CliError {
  return usageError(`${what} is not UTF-8.`, 'Save it as UTF-8.');
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, which is removed. @param what names the source in errors */
export function decodeText(bytes: Uint8Array, what: string): string {
  try {
    return createDecoder(bytes).decode(bytes);
  } catch {
    throw encodingError(what);
  }
}

export async function* decodeTextStream(source: Readable, what: string): AsyncGenerator<string, void, void> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    decoder ??= createDecoder(chunk);
    yield decodeChunk(decoder, chunk, what);
  }
  if (decoder) yield decodeChunk(decoder, undefined, what);
}

function decodeChunk(decoder: TextDecoder, chunk: Uint8Array | undefined, what: string): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw encodingError(what);
  }
}
