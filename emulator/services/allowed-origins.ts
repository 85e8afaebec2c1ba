import type { SharedStore } from '../store/store.js';

const ANY_PORT = ':*';

export const ORIGINS_STATE = 'origins';

/** The origins whose pages may call the operations of the service (decisions.md, "Newer generation of the API family"). */
export class AllowedOrigins {
  #origins: ReadonlySet<string>;

  /** @param origins exact ones, or `http://localhost:*` @param shared present if they are those of several processes */
  constructor(
    origins: readonly string[],
    private readonly shared?: Pick<SharedStore, 'updateState'>,
  ) {
    this.#origins = new Set(origins.map(normalize));
  }

  list(): string[] {
    return [...this.#origins];
  }

  /** Takes over the origins that another process has stored. */
  adopt(origins: readonly string[] = []): void {
    this.#origins = new Set(origins);
  }

  async add(...origins: string[]): Promise<void> {
    await this.#change((known) => [...new Set([...known, ...origins.map(normalize)])]);
  }

  /** @returns false when the origin was not allowed */
  async remove(origin: string): Promise<boolean> {
    const removed = normalize(origin);
    let found = false;
    await this.#change((known) => {
      found = known.includes(removed);
      return known.filter((one) => one !== removed);
    });
    return found;
  }

  async #change(change: (origins: readonly string[]) => string[]): Promise<void> {
    const changed = this.shared
      ? await this.shared.updateState<string[]>(ORIGINS_STATE, (state = []) => change(state))
      : change(this.list());
    this.#origins = new Set(changed);
  }

  /** @param origin the `Origin` header of a request */
  allows(origin: string): boolean {
    const exact = normalize(origin);
    return this.#origins.has(exact) || this.#origins.has(exact.replace(/(:\d+)?$/, ANY_PORT));
  }
}

function normalize(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, '');
}
