import type { Readable } from 'node:stream';
import { isObject, jsonOf } from '../../contract/json.js';
import { LIMITS } from '../../contract/limits.js';
import { usageError } from '../lib/errors.js';
import { PRECISION_LOSS, preservesNumbers } from '../lib/json.js';
import { decodeTextStream } from '../lib/text-file.js';
import type { SourceRow } from './row.js';

/** Longer than any token that the service accepts, escapes included. Bounds the memory for input without line ends. */
const MAX_LINE_CHARACTERS = 2 * LIMITS.bodyBytes;

/** Splits at line feeds only: a JSON string may contain other characters that end lines elsewhere. */
async function* splitLines(source: Readable): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const text of decodeTextStream(source, 'The source')) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS)
      throw usageError('A line is too long for a token. Is the source NDJSON?');
    yield* lines;
  }
  yield rest;
}

export const NOT_JSON = 'is not JSON';

function toRow(number: number, line: string): SourceRow {
  const value = jsonOf(line);
  if (value === undefined) return { number, problem: NOT_JSON, original: { _line: line } };
  if (!isObject(value)) return { number, problem: 'is not a JSON object', original: { _line: line } };
  if (!preservesNumbers(line)) return { number, problem: PRECISION_LOSS, original: { _line: line } };
  return { number, record: value, original: value };
}

export async function* readNdjson(source: Readable): AsyncGenerator<SourceRow, void, void> {
  let number = 0;
  for await (const line of splitLines(source)) {
    const text = line.trim();
    if (text !== '') yield toRow(++number, text);
  }
}
