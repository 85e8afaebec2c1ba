type HeadersInit = Headers | Iterable<readonly string[]> | Record<string, unknown> | undefined;

// A token of RFC 9110.
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function normalizeName(name: unknown): string {
  const text = String(name);
  if (!NAME.test(text)) throw new TypeError(`Header name must be a valid HTTP token ["${text}"]`);
  return text.toLowerCase();
}

function normalizeValue(name: string, value: unknown): string {
  const text = String(value).trim();
  if (/[\0\r\n]/.test(text)) throw new TypeError(`Invalid character in header content ["${name}"]`);
  return text;
}

export class Headers {
  readonly #values = new Map<string, string[]>();

  constructor(init?: HeadersInit) {
    if (init === undefined || init === null) return;
    const pairs = Symbol.iterator in init ? [...(init as Iterable<readonly string[]>)] : Object.entries(init);
    for (const [name, value] of pairs) {
      for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) this.append(name, one);
    }
  }

  append(name: unknown, value: unknown): void {
    const key = normalizeName(name);
    this.#values.set(key, [...(this.#values.get(key) ?? []), normalizeValue(key, value)]);
  }

  delete(name: unknown): void {
    this.#values.delete(normalizeName(name));
  }

  get(name: unknown): string | null {
    return this.#values.get(normalizeName(name))?.join(', ') ?? null;
  }

  getSetCookie(): string[] {
    return [...(this.#values.get('set-cookie') ?? [])];
  }

  has(name: unknown): boolean {
    return this.#values.has(normalizeName(name));
  }

  set(name: unknown, value: unknown): void {
    const key = normalizeName(name);
    this.#values.set(key, [normalizeValue(key, value)]);
  }

  /** Extension of `node-fetch`: all values by name. */
  raw(): Record<string, string[]> {
    return Object.fromEntries([...this.#values].map(([name, values]) => [name, [...values]]));
  }

  forEach(callback: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }

  *entries(): IterableIterator<[string, string]> {
    for (const name of [...this.#values.keys()].sort()) yield [name, this.get(name) ?? ''];
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}
