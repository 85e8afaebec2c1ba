import { randomBytes } from 'node:crypto';
import { cacheHashes } from './index/hash-cache.js';
import { createTermHasher } from './index/term-hash.js';
import { LocalStore } from './local-store.js';
import type { Store } from './store.js';
import { Tables } from './tables/tables.js';

/** Creates a store that forgets everything when it is closed (`--memory`). */
export function createMemoryStore(): Store {
  return new LocalStore(new Tables(cacheHashes(createTermHasher(randomBytes(32)))));
}
