import type { SharedStore } from '../store/store.js';
import { SharedValue } from './shared-value.js';

const ANY_PORT = ':*';

/** The origins whose pages may call the operations of the service (decisions.md, "Newer generation of the API family"). */
export class AllowedOrigins {
  readonly state: SharedValue<readonly string[]>;

  /** @param origins exact ones, or `http://localhost:*` @param shared present if they are those of several processes */
  constructor(origins: readonly string[], shared?: SharedStore) {
    this.state = new SharedValue('origins', [...new Set(origins.map(normalize))], shared);
  }

  list(): string[] {
    return [...this.state.current];
  }

  async add(...origins: string[]): Promise<void> {
    await this.state.change((known) => [...new Set([...known, ...origins.map(normalize)])]);
  }

  async remove(origin: string): Promise<boolean> {
    const removed = normalize(origin);
    let found = false;
    await this.state.change((known) => {
      found = known.includes(removed);
      return known.filter((one) => one !== removed);
    });
    return found;
  }

  /** @param origin the `Origin` header of a request */
  allows(origin: string): boolean {
    const exact = normalize(origin);
    const onAnyPort = exact.replace(/(:\d+)?$/, ANY_PORT);
    return this.state.current.some((one) => one === exact || one === onAnyPort);
  }
}

const normalize = (origin: string): string => origin.toLowerCase().replace(/\/$/, '');
