import { crc32 } from 'node:zlib';
import { type Head, type PutHead, RECORD, SUM_LENGTH } from './line-codec.js';

const SPACE = 0x20;
const QUOTE = 0x22;
const ZERO = 0x30;
const BACKSLASH = 0x5c;
const SMALL_A = 0x61;
const DELETE = 0x7f;

/** Reads what the lines of a segment are about, without the records. A start does that once per record there is. */
export class HeadReader {
  readonly #bytes: Buffer;
  #at = 0;
  #isLost = false;
  /** Mostly the same from line to line. */
  #put = '';
  #tenant = '';

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Of the line from `start` to `end`; undefined when it is not as it was written. */
  read(start: number, end: number): Head | undefined {
    const bytes = this.#bytes;
    const rest = start + SUM_LENGTH;
    if (rest >= end || sumAt(bytes, start + 8) !== crc32(bytes.subarray(rest, end))) return undefined;
    return this.#readPut(rest) ?? parse(bytes.subarray(rest, end));
  }

  /** What JSON.parse would give, in a fraction of the time; undefined unless all is plainly as `formatPut` writes it. */
  #readPut(start: number): PutHead | undefined {
    this.#at = start;
    this.#isLost = false;
    this.#expect('"rev":');
    const rev = this.#integer();
    const part = this.#takes(',"part":[') ? this.#integers() : undefined;
    if (!this.#takes(',"put":"')) return undefined;
    this.#put = this.#text(this.#put);
    this.#expect(',"tenant":"');
    this.#tenant = this.#text(this.#tenant);
    this.#expect(',"id":"');
    const id = this.#text('');
    this.#expect(',"index":[');
    const created = this.#integer();
    this.#expect(',[');
    const times = this.#integers();
    this.#expect(',[');
    const hashes = this.#integers();
    this.#expect(`]${RECORD}`);
    if (this.#isLost) return undefined;
    const head = {
      rev,
      put: this.#put,
      tenant: this.#tenant,
      id,
      index: [created, times, hashes],
    } as PutHead;
    if (part !== undefined) head.part = part as [number, number];
    return head;
  }

  #expect(text: string): void {
    if (!this.#takes(text)) this.#isLost = true;
  }

  /** Steps over a text if it stands here. */
  #takes(text: string): boolean {
    const [bytes, start] = [this.#bytes, this.#at];
    for (let i = 0; i < text.length; i += 1) {
      if (bytes[start + i] !== text.charCodeAt(i)) return false;
    }
    this.#at = start + text.length;
    return true;
  }

  #integer(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let value = 0;
    for (; ; at += 1) {
      const digit = (bytes[at] as number) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    if (at === this.#at || value > Number.MAX_SAFE_INTEGER) this.#isLost = true;
    this.#at = at;
    return value;
  }

  /** Up to the end of their array. */
  #integers(): number[] {
    const values: number[] = [];
    if (this.#takes(']')) return values;
    do values.push(this.#integer());
    while (this.#takes(','));
    this.#expect(']');
    return values;
  }

  /** Up to the end of a string that has no escapes and is all ASCII; `likely` is what it may well be. */
  #text(likely: string): string {
    const [bytes, start] = [this.#bytes, this.#at];
    if (this.#takes(likely) && this.#takes('"')) return likely;
    let at = start;
    while (isPlain(bytes[at] as number)) at += 1;
    this.#at = at;
    this.#expect('"');
    return bytes.toString('latin1', start, at);
  }
}

function isPlain(byte: number): boolean {
  return byte >= SPACE && byte < DELETE && byte !== QUOTE && byte !== BACKSLASH;
}

/** Undefined when it is no JSON: damage like any other, whatever the checksum says. */
function parse(rest: Buffer): Head | undefined {
  const record = rest.indexOf(RECORD);
  try {
    return JSON.parse(record < 0 ? `{${rest}` : `{${rest.toString('utf8', 0, record)}}`) as Head;
  } catch {
    return undefined;
  }
}

/** The checksum that a line begins with; NaN when something else stands there. */
function sumAt(bytes: Buffer, start: number): number {
  let sum = 0;
  for (let at = start; at < start + 8; at += 1) {
    const byte = bytes[at] as number;
    const digit = byte < SMALL_A ? byte - ZERO : byte - SMALL_A + 10;
    if (digit < 0 || digit > 15 || (digit > 9 && byte < SMALL_A)) return Number.NaN;
    sum = sum * 16 + digit;
  }
  return sum;
}
