import { ExpressionFailure } from '../errors.js';
import type { Parameter } from './define.js';

function parameter<T>(
  name: string,
  accepted: string,
  fallback: T | undefined,
  read: (value: unknown) => T | undefined,
): Parameter<T> {
  return {
    name,
    read(value, filter) {
      const result = value === undefined || value === null ? fallback : read(value);
      if (result !== undefined) return result;
      throw new ExpressionFailure(`filter "${filter}": argument ${name} must be ${accepted}`);
    },
  };
}

/** A number of characters, 0 or more. */
export function count(name: string, fallback?: number): Parameter<number> {
  return parameter(name, 'a whole number, 0 or more', fallback, (value) => {
    const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
  });
}

/** A single character, which may be a code point outside the Basic Multilingual Plane. */
export function character(name: string, fallback?: string): Parameter<string> {
  return parameter(name, 'one character', fallback, (value) =>
    typeof value === 'string' && [...value.slice(0, 3)].length === 1 ? value : undefined,
  );
}

export function text(name: string, fallback?: string): Parameter<string> {
  return parameter(name, 'a string', fallback, (value) => (typeof value === 'string' ? value : undefined));
}

/** A Boolean, or one of the strings `true` and `false`, since expressions often quote them. */
export function flag(name: string, fallback: boolean): Parameter<boolean> {
  return parameter(name, 'true or false', fallback, (value) => {
    if (value === true || value === 'true') return true;
    return value === false || value === 'false' ? false : undefined;
  });
}

/** One of the keys of `words`, compared case-insensitively; its value is passed to the filter. */
export function word<const W extends string>(name: string, words: Record<string, W>): Parameter<W> {
  return parameter<W>(name, `one of ${Object.keys(words).join(', ')}`, undefined, (value) =>
    typeof value === 'string' && Object.hasOwn(words, value.toLowerCase())
      ? words[value.toLowerCase()]
      : undefined,
  );
}

/** Accepts a string, or a finite number, which is converted to a string. */
export function textInput(value: unknown, filter: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw new ExpressionFailure(`filter "${filter}" accepts a string or a number`);
}

export function anyInput(value: unknown): unknown {
  return value;
}

export function objectInput(value: unknown, filter: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new ExpressionFailure(`filter "${filter}" accepts an object`);
}
