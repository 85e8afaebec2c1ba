import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { usageError } from './errors.js';

/** UTF-8, or what a byte order mark says; bytes that are no text of it would be replaced without a word, so they throw. */
function decoderOf(start: Uint8Array): TextDecoder {
  const utf16 = start[0] === 0xff && start[1] === 0xfe;
  return new TextDecoder(utf16 ? 'utf-16le' : 'utf-8', { fatal: true });
}

const wrongEncoding = (what: string) => usageError(`${what} is not UTF-8.`, 'Save it in that encoding.');

/**
 * The text of bytes, without byte order mark.
 * @param what it is, for the error: a file, a flag.
 * @throws {CliError} when it is in another encoding.
 */
export function textOf(bytes: Uint8Array, what: string): string {
  try {
    return decoderOf(bytes).decode(bytes);
  } catch {
    throw wrongEncoding(what);
  }
}

/** The same of a stream, piece by piece. */
export async function* textsOf(source: Readable, what: string): AsyncGenerator<string, void, void> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    decoder ??= decoderOf(chunk);
    yield decode(decoder, chunk, what);
  }
  if (decoder) yield decode(decoder, undefined, what);
}

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, what: string): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw wrongEncoding(what);
  }
}
