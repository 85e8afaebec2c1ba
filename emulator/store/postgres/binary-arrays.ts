/**
 * Arrays in PostgreSQL's binary format. The driver writes an array as one text, in which it escapes every quote of a record,
 * and the server has to read that text character by character. Goal P1: 0.18 → 0.23, together with batches of one statement.
 */

const TEXT = 25;
const BIGINT = 20;
const INTEGER = 23;

/** Dimensions, whether it has nulls, type of the elements, length, index of the first. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/** Encodes a `text[]`. */
export function textArray(texts: readonly (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? NULL_LENGTH : Buffer.byteLength(text)));
  const array = allocate(TEXT, lengths);
  let at = HEADER_BYTES;
  for (const [i, text] of texts.entries()) {
    at = array.writeInt32BE(lengths[i] ?? NULL_LENGTH, at);
    if (text !== null) at += array.write(text, at);
  }
  return array;
}

/** Encodes a `bigint[]` of safe integers. */
export function bigintArray(numbers: readonly (number | null)[]): Buffer {
  const array = allocate(
    BIGINT,
    numbers.map((number) => (number === null ? NULL_LENGTH : 8)),
  );
  let at = HEADER_BYTES;
  for (const number of numbers) {
    at = array.writeInt32BE(number === null ? NULL_LENGTH : 8, at);
    if (number === null) continue;
    at = array.writeInt32BE(Math.floor(number / 2 ** 32), at);
    at = array.writeUInt32BE(number >>> 0, at);
  }
  return array;
}

/** Encodes an `integer[]`. */
export function integerArray(numbers: readonly number[]): Buffer {
  const array = allocate(
    INTEGER,
    numbers.map(() => 4),
  );
  let at = HEADER_BYTES;
  for (const number of numbers) at = array.writeInt32BE(number, array.writeInt32BE(4, at));
  return array;
}

/** @param lengths of the elements in bytes */
function allocate(type: number, lengths: readonly number[]): Buffer {
  const bytes = lengths.reduce((sum, length) => sum + LENGTH_BYTES + Math.max(length, 0), HEADER_BYTES);
  const array = Buffer.allocUnsafe(bytes);
  const header = [1, lengths.includes(NULL_LENGTH) ? 1 : 0, type, lengths.length, 1];
  for (const [i, field] of header.entries()) array.writeInt32BE(field, i * 4);
  return array;
}
