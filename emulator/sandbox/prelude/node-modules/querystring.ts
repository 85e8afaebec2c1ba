import { callHost } from '../bridge/host-bridge.js';

type Escape = (text: string) => string;

const escapeText = (value: unknown): string =>
  encodeURIComponent(typeof value === 'object' && value !== null ? String(value) : `${value as string}`);

const unescapeBytes = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

function unescapeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return unescapeBytes(text).toString();
  }
}

const stringifyScalar = (value: unknown): string => {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  return typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : '';
};

function stringify(
  values: unknown,
  givenSeparator?: string | null,
  givenEquals?: string | null,
  options: { encodeURIComponent?: Escape } = {},
): string {
  const separator = givenSeparator || '&';
  const equals = givenEquals || '=';
  if (typeof values !== 'object' || values === null) return '';
  const encode = options.encodeURIComponent ?? querystringModule.escape;
  const pair = (key: string) => (value: unknown) =>
    `${encode(key)}${equals}${encode(stringifyScalar(value))}`;
  return Object.entries(values)
    .flatMap(([key, value]) => [value].flat().map(pair(key)))
    .join(separator);
}

interface ParseOptions {
  /** 1,000 by default; 0 for no limit. */
  maxKeys?: number;
  decodeURIComponent?: (text: string) => string;
}

function parse(
  text: unknown,
  separator?: string | null,
  equals?: string | null,
  options: ParseOptions = {},
): object {
  const input = {
    text: typeof text === 'string' ? text : '',
    separator: separator || '&',
    equals: equals || '=',
    maxKeys: options.maxKeys,
  };
  const decode = options.decodeURIComponent ?? querystringModule.unescape;
  const parsed = decode === unescapeText ? callHost<object>('parseQuery', input) : parseWith(decode, input);
  return Object.assign(Object.create(null) as object, parsed);
}

/** Parses with a decoder of the reactor, which the host cannot call. Text that it cannot decode is decoded as usual. */
function parseWith(
  decode: (text: string) => string,
  {
    text,
    separator,
    equals,
    maxKeys = 1_000,
  }: { text: string; separator: string; equals: string } & { maxKeys?: number | undefined },
): object {
  const decodeSafely = (part: string): string => {
    if (part === '') return '';
    try {
      return decode(part.replaceAll('+', '%20'));
    } catch {
      return unescapeText(part.replaceAll('+', ' '));
    }
  };
  const values: Record<string, string | string[]> = Object.create(null);
  const pairs = text.split(separator).filter((pair) => pair !== '');
  for (const pair of maxKeys > 0 ? pairs.slice(0, maxKeys) : pairs) {
    const at = pair.indexOf(equals);
    const key = decodeSafely(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? '' : decodeSafely(pair.slice(at + equals.length));
    const known = values[key];
    values[key] = known === undefined ? value : [known, value].flat();
  }
  return values;
}

/** `require('querystring')`. */
export const querystringModule = {
  parse,
  decode: parse,
  stringify,
  encode: stringify,
  escape: escapeText,
  unescape: unescapeText,
  unescapeBuffer: unescapeBytes,
};
