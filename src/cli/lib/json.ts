import { usageError } from './errors.js';

/** What a row, a flag or a file does when `preservesNumbers` is false; it follows their name. */
export const PRECISION_LOSS = 'holds a number with more digits than JSON keeps; give it as a string';

/** A string, which may hold anything, or a number. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*(?:e[+-]?\d+)?/gi;

/** More digits than this are never exact: the method that writes them out knows no more. */
const MAX_DIGITS = 100;

/** A number as its digits, without the zeros around them, and the power of ten of the last one. */
function decimal(text: string): { digits: string; power: number } {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const written = whole + fraction;
  const digits = written.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + written.length - digits.length;
  return { digits: digits.replace(/^0+/, ''), power };
}

/** Whether the number that JavaScript makes of a text is the text's to its last digit, written as short or as long. */
function isKept(text: string): boolean {
  const { digits, power } = decimal(text);
  if (digits === '') return true;
  if (digits.length > MAX_DIGITS) return false;
  const value = Number(text);
  return [String(value), value.toPrecision(digits.length)].some((written) => {
    const kept = decimal(written);
    return kept.digits === digits && kept.power === power;
  });
}

/** Whether each number of a JSON text stays what it is when it is parsed: an account number of 20 digits does not. */
export function preservesNumbers(json: string): boolean {
  for (const [part] of json.matchAll(STRING_OR_NUMBER)) if (part[0] !== '"' && !isKept(part)) return false;
  return true;
}

/**
 * @param what it is, for the error: `--data`, a file.
 * @throws {CliError} that says where the mistake is if that is known, never the text, which may be sensitive.
 */
export function parseJson(text: string, what: string, hint?: string): unknown {
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

/** Sets a property of the object's own, also one named `__proto__`: assigning that would replace its prototype. */
export function defineOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * A text as what it shows: JSON where it is some (a number, true, an object), else a string; a number that JSON would
 * write in another way stays one too.
 * @throws {CliError} when it is an object or array whose numbers would be rounded.
 */
export function parseJsonOrText(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof value === 'number') return String(value) === text ? value : text;
  if (!preservesNumbers(text)) throw usageError(`${what} ${PRECISION_LOSS}.`);
  return value;
}
