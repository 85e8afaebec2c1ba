import type { RecordLocation } from '../record-location.js';
import { writeChecksum } from './line-codec.js';

const FIRST_BYTES = 64 * 1024;
/** Bytes up to which the memory is kept for the next lines. */
const KEPT_BYTES = 1024 * 1024;
/** Bytes that a character of a text takes at most. */
const BYTES_PER_CHARACTER = 3;

/** Lines that will be appended to the journal together, as they will be on the disk. Its memory is used again. */
export class LineBuffer {
  #memory = Buffer.allocUnsafe(FIRST_BYTES);
  /** Where each line ends, behind its line feed. */
  #ends: number[] = [];

  /** How many lines there are. */
  get count(): number {
    return this.#ends.length;
  }

  /** How many bytes the lines have. */
  get length(): number {
    return this.#ends.at(-1) ?? 0;
  }

  /** The lines, valid until the next change. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.length);
  }

  /** Encodes a line of `line-codec.ts` and writes its checksum. */
  add(line: string): void {
    const start = this.length;
    this.#reserve(start + line.length * BYTES_PER_CHARACTER);
    const end = start + this.#memory.write(line, start);
    writeChecksum(this.#memory, start, end - 1);
    this.#ends.push(end);
  }

  /** Drops all lines but the first `count`. */
  truncate(count: number): void {
    this.#ends.length = count;
  }

  clear(): void {
    this.#ends = [];
    if (this.#memory.length > KEPT_BYTES) this.#memory = Buffer.allocUnsafe(FIRST_BYTES);
  }

  /** Returns the locations of the lines when they are written at byte `offset` of a segment. */
  locations(segment: number, offset: number): RecordLocation[] {
    let start = 0;
    return this.#ends.map((end) => {
      const location = { segment, offset: offset + start, length: end - start - 1 };
      start = end;
      return location;
    });
  }

  #reserve(size: number): void {
    if (size <= this.#memory.length) return;
    const memory = Buffer.allocUnsafe(Math.max(size, 2 * this.#memory.length));
    this.bytes.copy(memory);
    this.#memory = memory;
  }
}
