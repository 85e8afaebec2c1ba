import { callHost } from '../bridge/host-bridge.js';

type Escape = (text: string) => string;

const escapeText: Escape = (text) => encodeURIComponent(text);

function unescapeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return unescape(text);
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
  separator = '&',
  equals = '=',
  options: { encodeURIComponent?: Escape } = {},
): string {
  if (typeof values !== 'object' || values === null) return '';
  const encode = options.encodeURIComponent ?? querystringModule.escape;
  const pair = (key: string) => (value: unknown) =>
    `${encode(key)}${equals}${encode(stringifyScalar(value))}`;
  return Object.entries(values)
    .flatMap(([key, value]) => [value].flat().map(pair(key)))
    .join(separator);
}

function parse(
  text: unknown,
  separator?: string | null,
  equals?: string | null,
  options: { maxKeys?: number } = {},
) {
  const input = {
    text: typeof text === 'string' ? text : '',
    separator: separator ?? '&',
    equals: equals ?? '=',
    maxKeys: options.maxKeys,
  };
  return Object.assign(Object.create(null) as object, callHost<object>('parseQuery', input));
}

/** `require('querystring')`. */
export const querystringModule = {
  parse,
  decode: parse,
  stringify,
  encode: stringify,
  escape: escapeText,
  unescape: unescapeText,
};
