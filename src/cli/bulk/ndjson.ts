import type { Readable } from 'node:stream';
import type { ServiceError } from '../../client/errors.js';
import { isObject, jsonOf } from '../../contract/json.js';
import { LIMITS } from '../../contract/limits.js';
import { errorLines, usageError } from '../lib/errors.js';
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

function toRow(number: number, line: string): SourceRow {
  const value = jsonOf(line);
  if (value === undefined) return { number, problem: 'is not JSON', original: { _line: line } };
  if (!isObject(value)) return { number, problem: 'is not a JSON object', original: { _line: line } };
  if (!preservesNumbers(line)) return { number, problem: PRECISION_LOSS, original: { _line: line } };
  return { number, record: value, original: value };
}

/** Reads the rows of NDJSON: one JSON object per line. */
export async function* readNdjson(source: Readable): AsyncGenerator<SourceRow, void, void> {
  let number = 0;
  for await (const line of splitLines(source)) {
    const text = line.trim();
    if (text !== '') yield toRow(++number, text);
  }
}

/** Property paths in the answer to a list of create requests start with the index of the entry: `37.data.number`. */
const ENTRY_PATH = /^(\d+)\.(.+)$/s;

/**
 * Returns why the service refused entries of a list, by their index. Messages contain property paths but no values.
 * @param count Number of entries.
 * @returns undefined if the answer does not say which entries it is about
 */
export function refusedEntries(
  { status, problem }: ServiceError,
  count: number,
): Map<number, string> | undefined {
  const byEntry = new Map<number, Record<string, string[]>>();
  for (const [path, messages] of Object.entries(problem.errors ?? {})) {
    const [, digits, property] = ENTRY_PATH.exec(path) ?? [];
    const index = Number(digits);
    if (property === undefined || index >= count) return undefined;
    const errors = byEntry.get(index) ?? {};
    errors[property] = messages;
    byEntry.set(index, errors);
  }
  if (byEntry.size === 0) return undefined;
  // A taken id has the same reason, whether it was sent alone or in a list.
  const reasonOf = (errors: Record<string, string[]>) =>
    status === 409 ? (problem.detail ?? problem.title) : errorLines(errors).join('; ');
  return new Map([...byEntry].map(([index, errors]) => [index, reasonOf(errors)]));
}

/** Returns why the service refused a single create request. */
export function refusalReason({ problem }: ServiceError): string {
  return errorLines(problem.errors).join('; ') || problem.detail || problem.title;
}
