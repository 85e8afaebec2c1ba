import { isObject, jsonOf } from '../../contract/json.js';
import { usageError } from './errors.js';

/** The end of an error about JSON whose numbers `preservesNumbers` rejects; the name of the source precedes it. */
export const PRECISION_LOSS = 'contains a number that JSON would round; use a string instead';

/** A JSON string, which must be skipped, or a number. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*(?:e[+-]?\d+)?/gi;

/** The maximum precision of `toPrecision`. Numbers with more digits are never exact. */
const MAX_DIGITS = 100;

function decimal(text: string): { digits: string; power: number } {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const written = whole + fraction;
  const digits = written.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + written.length - digits.length;
  return { digits: digits.replace(/^0+/, ''), power };
}

/** Reports whether JavaScript parses the number without rounding it. */
function isExact(text: string): boolean {
  const { digits, power } = decimal(text);
  if (digits === '') return true;
  if (digits.length > MAX_DIGITS) return false;
  const value = Number(text);
  return [String(value), value.toPrecision(digits.length)].some((written) => {
    const kept = decimal(written);
    return kept.digits === digits && kept.power === power;
  });
}

/** Reports whether all numbers of a JSON text are parsed without rounding, unlike an account number of 20 digits. */
export function preservesNumbers(json: string): boolean {
  for (const [part] of json.matchAll(STRING_OR_NUMBER)) if (part[0] !== '"' && !isExact(part)) return false;
  return true;
}

/** Parses JSON. Errors have the position, but never the text, which may be sensitive. @param what `--data`, or a file */
export function parseJson(text: string, what: string, hint?: string): unknown {
  if (text.trim() === '') throw usageError(`${what} is empty.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    throw usageError(
      `${what} is not JSON${position === undefined ? '' : ` (at character ${position})`}.`,
      hint,
    );
  }
  if (!preservesNumbers(text)) throw usageError(`${what} ${PRECISION_LOSS}.`);
  return value;
}

/** Defines an own property, even one named `__proto__`, which an assignment would treat as the prototype. */
export function defineOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

export function setAtPath(object: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...below] = path;
  const present = Object.hasOwn(object, name) ? object[name] : undefined;
  const child = isObject(present) ? present : {};
  defineOwn(object, name, below.length === 0 ? value : child);
  if (below.length > 0) setAtPath(child, below, value);
}

/** Parses a text that is JSON, and otherwise returns it, as a number that JSON would write differently (1.10, 20 digits). */
export function parseJsonOrText(text: string, what: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) return text;
  if (typeof value === 'number') return String(value) === text ? value : text;
  if (!preservesNumbers(text)) throw usageError(`${what} ${PRECISION_LOSS}.`);
  return value;
}
