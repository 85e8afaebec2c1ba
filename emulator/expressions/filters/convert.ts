import { createHmac } from 'node:crypto';
import { stringify as stableStringify } from 'safe-stable-stringify';
import { ExpressionFailure } from '../errors.js';
import { assertTextLength } from '../filter-checks.js';
import { anyInput, character, count, defineFilter, text, textInput, word } from './define.js';
import { toJsonText } from './json-path.js';

const MAX_PADDING = 100_000;
/** A digit can match in one place only, so that the time is linear. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const ALGORITHMS = {
  'sha-256': 'sha256',
  'sha-1': 'sha1',
  'sha-512': 'sha512',
  sha256: 'sha256',
  sha1: 'sha1',
  sha512: 'sha512',
} as const;

export const convertFilters = [
  defineFilter('stringify', anyInput, [], stringify),
  defineFilter('json_stringify', anyInput, [], toJsonText),
  defineFilter('to_string', anyInput, [], toText),
  defineFilter('to_number', anyInput, [], toNumber),
  defineFilter('to_boolean', anyInput, [], toBoolean),
  defineFilter('pad_left', textInput, [count('length'), character('char', ' ')], (value, length, char) =>
    createPadding('pad_left', value, length, char).concat(value),
  ),
  defineFilter('pad_right', textInput, [count('length'), character('char', ' ')], (value, length, char) =>
    value.concat(createPadding('pad_right', value, length, char)),
  ),
  defineFilter('hmac', textInput, [word('algorithm', ALGORITHMS), text('key')], (value, algorithm, key) =>
    createHmac(algorithm, key).update(value, 'utf8').digest(),
  ),
  // Standard filters of Liquid that liquidjs lacks.
  defineFilter('base64_url_safe_encode', textInput, [], (value) =>
    Buffer.from(value).toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  ),
  defineFilter('base64_url_safe_decode', textInput, [], decodeBase64Url),
  defineFilter('to_base64', bytesInput, [], (bytes) => bytes.toString('base64')),
  defineFilter('to_base16', bytesInput, [], (bytes) => bytes.toString('hex').toUpperCase()),
];

function decodeBase64Url(value: string): string {
  if (/^[\w-]*={0,2}$/.test(value)) return Buffer.from(value, 'base64url').toString();
  throw new ExpressionFailure('filter "base64_url_safe_decode" accepts base64 with - and _');
}

/** Serializes a value as canonical JSON, with keys sorted at every level. A string stays as it is. */
export function stringify(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  assertTextLength(value);
  return stableStringify(value);
}

function toText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new ExpressionFailure('filter "to_string" accepts a string, a number or a boolean');
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw new ExpressionFailure('filter "to_number" accepts a number, or a string that contains one');
}

function toBoolean(value: unknown): boolean {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === true || word === 'true') return true;
  if (word === false || word === 'false') return false;
  throw new ExpressionFailure('filter "to_boolean" accepts a boolean, or the string true or false');
}

function createPadding(filter: string, value: string, length: number, char: string): string {
  if (length > MAX_PADDING)
    throw new ExpressionFailure(`filter "${filter}": argument length must be at most ${MAX_PADDING}`);
  return char.repeat(Math.max(0, length - [...value].length));
}

function bytesInput(value: unknown, filter: string): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (typeof value === 'string') return Buffer.from(value, 'utf8');
  throw new ExpressionFailure(`filter "${filter}" accepts the result of hmac, or a string`);
}
