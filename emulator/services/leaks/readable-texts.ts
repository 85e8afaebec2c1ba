import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { EMBEDDED_ZIP, isZip, readZip } from './zip.js';

/** Bytes that a compressed content may have, decompressed. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 3;

/** A text that bytes hold, and the member of the archive that holds it. */
type ReadableText = { text: string; member?: string };

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

export const isPacked = (bytes: Buffer): boolean =>
  isGzip(bytes) || isZip(bytes) || bytes.includes('data:application/zip;base64,');

/** Lists the texts in a content: as UTF-8, Latin-1 or UTF-16, and those of the members of an archive, with their names. */
export function* textsIn(bytes: Buffer, depth = MAX_DEPTH): Generator<ReadableText> {
  if (depth > 0 && isGzip(bytes)) {
    const unpacked = gunzip(bytes);
    if (unpacked) return yield* textsIn(unpacked, depth - 1);
  }
  if (depth > 0 && isZip(bytes)) {
    for (const { name, content } of readZip(bytes, MAX_UNPACKED_BYTES)) {
      yield { text: name };
      for (const { text, member } of textsIn(content, depth - 1))
        yield { text, member: member === undefined ? name : `${name}: ${member}` };
    }
    return;
  }
  for (const text of decode(bytes)) {
    yield { text };
    const [zip] = EMBEDDED_ZIP.exec(text) ?? [];
    if (depth > 0 && zip !== undefined) yield* textsIn(Buffer.from(zip, 'base64'), depth - 1);
  }
}

function gunzip(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch {
    return undefined;
  }
}

const decode = (bytes: Buffer): string[] => [bytes.toString('utf8'), ...otherTexts(bytes)];

/** Decodes bytes that are not UTF-8. UTF-16 without its zero bytes reads as Latin-1, in either byte order. */
export function otherTexts(bytes: Buffer): string[] {
  if (bytes.includes(0)) return [bytes.toString('latin1').replaceAll('\0', ''), ...wideTexts(bytes)];
  return isUtf8(bytes) ? [] : [bytes.toString('latin1')];
}

/** Decodes UTF-16 that has a byte order mark, for characters outside of Latin-1. */
function wideTexts(bytes: Buffer): string[] {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfffe) return [new TextDecoder('utf-16le').decode(bytes)];
  return mark === 0xfeff ? [new TextDecoder('utf-16be').decode(bytes)] : [];
}
