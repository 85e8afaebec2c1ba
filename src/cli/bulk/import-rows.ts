import { createHash, createHmac } from 'node:crypto';
import { PLACEHOLDER } from '../lib/placeholder.js';
import {
  type ImportRow,
  READ_ONLY_PROPERTIES,
  type Reject,
  type SourceRow,
  type TokenRecord,
} from './row.js';

/** Derives the token ID of a row: a UUID (version 8, RFC 9562) that is the same in every run of the import. */
export function deriveRowId(importId: string, number: number): string {
  const hash = createHmac('sha256', importId).update(String(number)).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Derives the idempotency key of a request: the same rows have the same key in every run, and no other rows have it. */
export function deriveIdempotencyKey(importId: string, rows: readonly { number: number }[]): string {
  const numbers = rows.map(({ number }) => number);
  const [first = 0, last = first] = [numbers[0], numbers.at(-1)];
  const range = numbers.length === 1 ? [first] : [first, last];
  const hasGaps = numbers.length <= last - first;
  const gaps = hasGaps ? [createHash('sha256').update(numbers.join()).digest('base64url').slice(0, 16)] : [];
  return [importId, ...range, ...gaps].join('-');
}

const hasValue = (value: unknown): boolean => value !== undefined && value !== null;

function containsPlaceholder(value: unknown): boolean {
  if (value === PLACEHOLDER) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(containsPlaceholder);
}

function findProblem(record: Record<string, unknown>): string | undefined {
  // Tokenize treats an object without both as plain JSON and would create a token for each of its values.
  if (typeof record.type !== 'string') return 'type: is required, a string';
  if (!hasValue(record.data)) return 'data: is required';
  if (containsPlaceholder(record.data)) return 'data: is hidden; export it with --reveal';
  return undefined;
}

export function toImportRow(
  row: SourceRow,
  importId: string,
  defaultType: string | undefined,
): ImportRow | Reject {
  const { number, original } = row;
  if (!row.record) return { number, original, reason: row.problem ?? 'cannot be read' };
  const record: Record<string, unknown> = { ...row.record };
  for (const property of READ_ONLY_PROPERTIES) delete record[property];
  if (!hasValue(record.type) && defaultType !== undefined) record.type = defaultType;
  const reason = findProblem(record);
  if (reason !== undefined) return { number, original, reason };
  const ownId = !hasValue(record.id);
  if (ownId) record.id = deriveRowId(importId, number);
  return { number, original, ownId, record: record as TokenRecord };
}
