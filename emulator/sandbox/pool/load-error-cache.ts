import { LRUCache } from 'lru-cache';
import type { ReactorCode } from '../invocation.js';
import type { LoadError } from '../outcome.js';

const MAX_ENTRIES = 1_000;

/** Remembers code that does not load. It would fail the same way again, so no instance is spent on it. */
export class LoadErrorCache {
  readonly #errors = new LRUCache<string, LoadError>({ max: MAX_ENTRIES });

  get(reactor: ReactorCode): LoadError | undefined {
    return this.#errors.get(cacheKey(reactor));
  }

  set(reactor: ReactorCode, error: LoadError): void {
    this.#errors.set(cacheKey(reactor), error);
  }
}

/** Contains the file name, because it is part of the error's position. */
const cacheKey = ({ reactorId, version, fileName = '' }: ReactorCode): string =>
  `${reactorId} ${version} ${fileName}`;
