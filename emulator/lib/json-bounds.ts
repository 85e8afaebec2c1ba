import { LIMITS } from '../../src/contract/limits.js';

/** Why a parsed value must not enter the service. */
type JsonFault = 'depth' | 'values' | 'proto' | 'number';

/** Messages for the caller. They never quote the value. */
export const JSON_FAULT_MESSAGES: Readonly<Record<JsonFault, string>> = {
  depth: `must not nest deeper than ${LIMITS.bodyDepth} levels`,
  values: `must not hold more than ${LIMITS.bodyValues} values`,
  // Harmless as parsed, but a trap for any code that copies properties one by one.
  proto: 'must not use the name __proto__',
  // Written as JSON again, Infinity would become null.
  number: `must not hold a number beyond ${Number.MAX_VALUE}`,
};

export type JsonBounds = { levels: number; values: number };

export const BODY_BOUNDS: Readonly<JsonBounds> = { levels: LIMITS.bodyDepth, values: LIMITS.bodyValues };

/** Returns the first fault of a value, in one walk that stops at the deepest level and the last value allowed. */
export function findJsonFault(value: unknown, { levels, values }: JsonBounds = BODY_BOUNDS) {
  return findFault(value, levels, { values });
}

function findFault(value: unknown, levels: number, left: { values: number }): JsonFault | undefined {
  left.values -= 1;
  if (left.values < 0) return 'values';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'number';
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return 'depth';
  if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) return 'proto';
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    const fault = findFault(item, levels - 1, left);
    if (fault) return fault;
  }
  return undefined;
}

/** Checks a JSON text before it is parsed: deep nesting may overflow the stack, very many values hold up others. */
export function findTextFault(text: string, bounds: JsonBounds): 'depth' | 'values' | undefined {
  if (text.length <= Math.min(bounds.levels, bounds.values)) return undefined;
  let depth = 0;
  // All values but the first of an object or array follow a comma.
  let values = 1;
  let afterOpening = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code <= SPACE) continue;
    if (afterOpening && code !== CLOSING_BRACKET && code !== CLOSING_BRACE) values += 1;
    afterOpening = code === OPENING_BRACKET || code === OPENING_BRACE;
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === COMMA) values += 1;
    else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth -= 1;
    else if (afterOpening) {
      depth += 1;
      if (depth > bounds.levels) return 'depth';
    }
    if (values > bounds.values) return 'values';
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** Whether an odd number of backslashes is before a character, so that it belongs to the last of them. */
export function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
  return (at - start) % 2 === 1;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** What a value counts as at least: many short values take far more memory than one text of the same length. */
const MIN_VALUE_LENGTH = 16;
/** Nesting depth beyond which a value counts as too long. `JSON.stringify` fails a few thousand levels further down. */
const MAX_MEASURED_DEPTH = 1_000;

/**
 * Measures the length of a value as JSON without building it, which is about the memory that it takes. Every value in it counts as
 * at least 16 characters. Stops at the limit, so that the time is bounded even when an array contains the same large value many times.
 * @returns a number greater than `limit` when the value is longer, or nested deeper than JSON can be written
 */
export function jsonLength(value: unknown, limit = Number.POSITIVE_INFINITY, depth = 0): number {
  if (typeof value === 'string') return Math.max(value.length + 2, MIN_VALUE_LENGTH);
  if (typeof value !== 'object' || value === null) return MIN_VALUE_LENGTH;
  if (depth > MAX_MEASURED_DEPTH) return limit + 1;
  let length = MIN_VALUE_LENGTH;
  if (Array.isArray(value)) {
    for (const item of value) {
      length += 1 + jsonLength(item, limit - length, depth + 1);
      if (length > limit) break;
    }
    return length;
  }
  for (const key in value) {
    length += key.length + 4 + jsonLength((value as Record<string, unknown>)[key], limit - length, depth + 1);
    if (length > limit) break;
  }
  return length;
}
