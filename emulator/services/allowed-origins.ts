const ANY_PORT = ':*';

/** The origins whose pages may call the operations of the service (decisions.md, "Newer generation of the API family"). */
export class AllowedOrigins {
  readonly #origins = new Set<string>();

  /** @param origins exact origins, `http://localhost:*` or `http://127.0.0.1:*` */
  constructor(origins: readonly string[]) {
    for (const origin of origins) this.add(origin);
  }

  list(): string[] {
    return [...this.#origins];
  }

  add(origin: string): void {
    this.#origins.add(normalize(origin));
  }

  /** @returns false when the origin was not allowed */
  remove(origin: string): boolean {
    return this.#origins.delete(normalize(origin));
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
