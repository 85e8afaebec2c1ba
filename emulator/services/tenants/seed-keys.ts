import type { PerApplication } from './seed-tenant.js';

/** What a header can carry without being changed on the way. */
const USABLE = /^[!-~]+$/;

/** A fixed key that cannot be a key. The message names the application, never the key. */
export class InvalidApiKeyError extends Error {
  override name = 'UnusableKeyError';
}

/** @throws UnusableKeyError */
export function checkKeys(keys: Partial<PerApplication>): void {
  const owners = new Map<string, string>();
  for (const [type, key] of Object.entries(keys)) {
    if (!USABLE.test(key)) {
      throw new InvalidApiKeyError(`The ${type} key must be printable ASCII characters without spaces.`);
    }
    const other = owners.get(key);
    if (other) throw new InvalidApiKeyError(`The ${other} key and the ${type} key must differ.`);
    owners.set(key, type);
  }
}
