import { createHmac } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';
import type { Field } from '../resources/field.js';

/** Characters of the ID of a key. */
const KEY_ID_CHARACTERS = 8;

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex');

const idOf = (key: string): string => hmac(key, 'key id').slice(0, KEY_ID_CHARACTERS);

/**
 * Returns a digest of an object's secrets, which cannot be guessed from it without the key: `<key id>:<digest>`;
 * undefined without secrets.
 */
export function digestSecrets(fields: readonly Field[], key: string): string | undefined {
  const secrets = fields.filter(({ show }) => show === 'secret').map(({ name, value }) => [name, value]);
  return secrets.length === 0 ? undefined : `${idOf(key)}:${hmac(key, stringify(secrets))}`;
}

/** Signs a document, so that a change of it is noticed by whoever has the key: `<key id>:<signature>`. */
export function signDocument(document: object, key: string): string {
  return `${idOf(key)}:${hmac(key, `document ${stringify(document)}`)}`;
}

/** Reports whether two digests were made with the same key from different secrets. */
export function isDifferentDigest(one: string | undefined, other: string | undefined): boolean {
  const [key, otherKey] = [one, other].map((digest) => digest?.split(':')[0]);
  return key === otherKey && one !== other;
}
