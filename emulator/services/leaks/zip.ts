import { kMaxLength } from 'node:buffer';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

type ZipMember = { name: string; content: Buffer };

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT_BYTES = 65_535;
const [STORED, DEFLATED] = [0, 8];
const VERSION = 20;
const UTF8_NAMES = 0x0800;
/** 1980-01-01, the first date that an archive can name. */
const DATE = 0x21;

/** The archive of a data URL, in base64: the HTML report of Playwright holds its data so. */
export const EMBEDDED_ZIP = /(?<=data:application\/zip;base64,)[\w+/]+=*/;

export const isZip = (bytes: Buffer): boolean =>
  bytes.length > LOCAL_BYTES && bytes.readUInt32LE(0) === LOCAL_HEADER;

/** Lists the members of an archive, decompressed. Those that are encrypted, damaged or too large are left out. */
export function* readZip(bytes: Buffer, maxBytes = kMaxLength): Generator<ZipMember> {
  let left = maxBytes;
  for (const { name, method, compressed } of directoryOf(bytes)) {
    const content = decompress(method, compressed, left);
    if (content === undefined) continue;
    left -= content.length;
    yield { name, content };
  }
}

function decompress(method: number, compressed: Buffer, maxBytes: number): Buffer | undefined {
  if (maxBytes <= 0) return undefined;
  if (method === STORED) return compressed.length <= maxBytes ? compressed : undefined;
  if (method !== DEFLATED) return undefined;
  try {
    return inflateRawSync(compressed, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

function* directoryOf(bytes: Buffer): Generator<{ name: string; method: number; compressed: Buffer }> {
  const end = findEnd(bytes);
  if (end === undefined) return;
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_BYTES > bytes.length || bytes.readUInt32LE(at) !== CENTRAL_HEADER) return;
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) =>
      bytes.readUInt16LE(at + offset),
    );
    const name = bytes.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + (nameBytes ?? 0));
    const local = bytes.readUInt32LE(at + 42);
    if (local + LOCAL_BYTES <= bytes.length) {
      const start = local + LOCAL_BYTES + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const compressed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
      yield { name, method: bytes.readUInt16LE(at + 10), compressed };
    }
    at += CENTRAL_BYTES + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
}

function findEnd(bytes: Buffer): number | undefined {
  const first = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = bytes.length - END_BYTES; at >= first; at--)
    if (bytes.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  return undefined;
}

/** Makes an archive. Its members have no dates, and together fewer than 4 GiB. */
export function writeZip(members: Iterable<ZipMember>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of members) {
    const path = Buffer.from(name);
    const data = deflateRawSync(content);
    const fields = fieldsOf(path, content, data);
    locals.push(uint32(LOCAL_HEADER), fields, path, data);
    // Made by; then no comment, first disk, no attributes.
    directory.push(uint32(CENTRAL_HEADER), uint16(VERSION), fields, Buffer.alloc(10), uint32(offset), path);
    offset += LOCAL_BYTES + path.length + data.length;
  }
  const count = uint16(locals.length / 4);
  const end = [uint32(END_OF_DIRECTORY), Buffer.alloc(4), count, count];
  const size = uint32(Buffer.concat(directory).length);
  return Buffer.concat([...locals, ...directory, ...end, size, uint32(offset), uint16(0)]);
}

function fieldsOf(path: Buffer, content: Buffer, data: Buffer): Buffer {
  const words = [VERSION, UTF8_NAMES, DEFLATED, 0, DATE].map(uint16);
  const sizes = [crc32(content), data.length, content.length].map(uint32);
  return Buffer.concat([...words, ...sizes, uint16(path.length), uint16(0)]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
