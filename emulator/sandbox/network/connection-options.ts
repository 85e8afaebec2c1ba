import type { RequestOptions } from 'node:https';
import { isObject, type Json } from '../../../src/contract/json.js';
import { VisibleError } from '../outcome.js';

/**
 * Options of `https.request` and `https.Agent` that the requests of reactors may have, by the type of their value. `material` is PEM
 * or bytes (as `{ base64 }`), or a list of them and of `{ pem, passphrase }` or `{ buf, passphrase }`.
 */
export const CONNECTION_OPTIONS = {
  ca: 'material',
  cert: 'material',
  ciphers: 'string',
  crl: 'material',
  ecdhCurve: 'string',
  family: 'number',
  honorCipherOrder: 'boolean',
  key: 'material',
  maxVersion: 'string',
  minVersion: 'string',
  passphrase: 'string',
  pfx: 'material',
  rejectUnauthorized: 'boolean',
  secureOptions: 'number',
  secureProtocol: 'string',
  servername: 'string',
  sigalgs: 'string',
} as const;

/** As JSON. Holds private keys: never part of a log, a trace, an error or a recording. */
export type ConnectionOptions = Partial<Record<keyof typeof CONNECTION_OPTIONS, Json>>;

/** Characters of a request's connection options as JSON: enough for the authorities that browsers trust. */
export const MAX_CONNECTION_LENGTH = 1_048_576;

type Name = keyof typeof CONNECTION_OPTIONS;

/** Converts connection options to those of `https.request`. @throws VisibleError that names the option that is wrong */
export function toTlsOptions(options: ConnectionOptions = {}): RequestOptions {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, decode(name as Name, value)]),
  );
}

function decode(name: Name, value: Json): unknown {
  const type = Object.hasOwn(CONNECTION_OPTIONS, name) ? CONNECTION_OPTIONS[name] : undefined;
  if (type !== 'material') {
    if (typeof value === type) return value;
    throw createTypeError(name, type ? `a ${type}` : 'left out');
  }
  const parts = Array.isArray(value) ? value.map(decodePart) : decodePart(value);
  if ([parts].flat().includes(undefined)) throw createTypeError(name, 'text, bytes, or a list of them');
  return parts;
}

const createTypeError = (name: string, accepted: string): VisibleError =>
  new VisibleError(`The connection option ${name} must be ${accepted}.`, 'TypeError', 'ERR_INVALID_ARG_TYPE');

/** @returns undefined if the value is neither text nor bytes, nor an object with either */
function decodePart(value: Json): unknown {
  const content = decodeText(value);
  if (content !== undefined || !isObject(value)) return content;
  const { pem, buf, passphrase } = value as Record<string, Json>;
  const inner = decodeText(pem ?? buf ?? null);
  if (inner === undefined || !['undefined', 'string'].includes(typeof passphrase)) return undefined;
  return { [pem === undefined ? 'buf' : 'pem']: inner, passphrase };
}

function decodeText(value: Json): string | Buffer | undefined {
  if (typeof value === 'string') return value;
  return isObject(value) && typeof value.base64 === 'string'
    ? Buffer.from(value.base64, 'base64')
    : undefined;
}
