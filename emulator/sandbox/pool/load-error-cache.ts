import type { ReactorCode } from '../invocation.js';
import type { ReactorResult } from '../outcome.js';

type LoadError = Extract<ReactorResult, { kind: 'load-error' }>;

const MAX_ENTRIES = 1_000;

/** Code that does not load fails the same way every time, so no instance is spent on it again. */
export class LoadErrorCache {
  readonly #errors = new Map<string, LoadError>();

  find(reactor: ReactorCode): LoadError | undefined {
    return this.#errors.get(cacheKey(reactor));
  }

  add(reactor: ReactorCode, error: LoadError): void {
    this.#errors.set(cacheKey(reactor), error);
    const [oldest] = this.#errors.keys();
    if (this.#errors.size > MAX_ENTRIES && oldest !== undefined) this.#errors.delete(oldest);
  }
}

/** The file's name is part of the position. */
const cacheKey = ({ reactorId, version, fileName = '' }: ReactorCode): string =>
  `${reactorId} ${version} ${fileName}`;
