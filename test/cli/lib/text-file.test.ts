import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { decodeText, decodeTextStream } from '../../../src/cli/lib/text-file.js';

async function decodeChunks(chunks: Uint8Array[]): Promise<string> {
  let text = '';
  for await (const part of decodeTextStream(Readable.from(chunks), 'The source')) text += part;
  return text;
}

/** Every byte a chunk of its own, so that characters are split. */
const split = (bytes: Buffer): Uint8Array[] => Array.from(bytes, (byte) => Uint8Array.of(byte));

test('UTF-8 is decoded without its byte order mark', async () => {
  const bytes = Buffer.from('\uFEFFZoë €');
  expect(decodeText(bytes, 'x')).toBe('Zoë €');
  expect(await decodeChunks([bytes])).toBe('Zoë €');
});

test('UTF-16 is recognized by its byte order mark', async () => {
  const bytes = Buffer.from('\uFEFFZoë €', 'utf16le');
  expect(decodeText(bytes, 'x')).toBe('Zoë €');
  expect(await decodeChunks([bytes])).toBe('Zoë €');
});

test('a character that is split between chunks is decoded', async () => {
  expect(await decodeChunks(split(Buffer.from('Zoë €')))).toBe('Zoë €');
});

test('a text in another encoding is rejected instead of altered', async () => {
  const latin1 = Buffer.from('Zoë', 'latin1');
  expect(() => decodeText(latin1, '--data')).toThrow('--data is not UTF-8.');
  await expect(decodeChunks([latin1])).rejects.toThrow('The source is not UTF-8.');
  await expect(decodeChunks([Buffer.from('€').subarray(0, 2)])).rejects.toThrow('The source is not UTF-8.');
});

test('an empty text is decoded as empty', async () => {
  expect(decodeText(new Uint8Array(), 'x')).toBe('');
  expect(await decodeChunks([])).toBe('');
});
