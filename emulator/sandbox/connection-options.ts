import type { Json } from '../../src/contract/json.js';

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
