import type { ReactorCode } from '../invocation.js';
import type { Result } from '../outcome.js';

type LoadError = Extract<Result, { kind: 'load-error' }>;

const KEPT = 1_000;

/** Code that does not load fails the same way every time, so no instance is spent on it again. */
export class LoadErrorCache {
  readonly #errors = new Map<string, LoadError>();

  find(reactor: ReactorCode): LoadError | undefined {
    return this.#errors.get(keyOf(reactor));
  }

  add(reactor: ReactorCode, error: LoadError): void {
    this.#errors.set(keyOf(reactor), error);
    const [oldest] = this.#errors.keys();
    if (this.#errors.size > KEPT && oldest !== undefined) this.#errors.delete(oldest);
  }
}

/** The file's name is part of the position. */
const keyOf = ({ reactorId, version, fileName = '' }: ReactorCode): string =>
  `${reactorId} ${version} ${fileName}`;
