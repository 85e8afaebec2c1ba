import type { PerApplication } from '../../../src/contract/control/state-file.js';
import { StartError } from '../../lib/start-error.js';

/** Characters that an HTTP header transmits unchanged. */
const HEADER_SAFE = /^[!-~]+$/;

/** A fixed key that cannot serve as an API key. The message names the application, never the key. */
class InvalidApiKeyError extends StartError {
  override name = 'InvalidApiKeyError';

  constructor(message: string) {
    super('invalid_api_key', message);
  }
}

/** Checks the fixed keys of the seeded applications. @throws InvalidApiKeyError */
export function checkKeys(keys: Partial<PerApplication>): void {
  const owners = new Map<string, string>();
  for (const [type, key] of Object.entries(keys)) {
    if (!HEADER_SAFE.test(key)) {
      throw new InvalidApiKeyError(`The ${type} key must be printable ASCII characters without spaces.`);
    }
    const other = owners.get(key);
    if (other) throw new InvalidApiKeyError(`The ${other} key and the ${type} key must differ.`);
    owners.set(key, type);
  }
}
