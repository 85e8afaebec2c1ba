import type { RecordLocation } from '../record-location.js';

/** Bytes that a character of a text takes at most. */
const BYTES_PER_CHARACTER = 3;
/** Bytes up to which the memory is kept for the next lines. */
const KEPT_BYTES = 1024 * 1024;

/**
 * Encodes the lines of an append into memory that is used again, and measures them on the way.
 *
 * Goal H1: a batch of 20 takes 57 → 54 µs of CPU time per POST /tokens.
 */
export class LineBuffer {
  #memory = Buffer.allocUnsafe(64 * 1024);

  /** Returns the bytes of lines, valid until the next call, and where the lines are when written at `offset`. */
  encode(
    lines: readonly string[],
    segment: number,
    offset: number,
  ): { bytes: Buffer; locations: RecordLocation[] } {
    const memory = this.#memoryFor(lines);
    let end = 0;
    const locations = lines.map((line) => {
      const start = end;
      end += memory.write(line, start);
      return { segment, offset: offset + start, length: end - start - 1 };
    });
    return { bytes: memory.subarray(0, end), locations };
  }

  #memoryFor(lines: readonly string[]): Buffer {
    const characters = lines.reduce((sum, line) => sum + line.length, 0);
    const size = characters * BYTES_PER_CHARACTER;
    if (size <= this.#memory.length) return this.#memory;
    const memory = Buffer.allocUnsafe(size);
    if (size <= KEPT_BYTES) this.#memory = memory;
    return memory;
  }
}
