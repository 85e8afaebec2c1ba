import { Pairs } from './pairs.js';

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
  if (/[\0\r\n\u0100-\uffff]/.test(text))
    throw new TypeError(`Invalid character in header content ["${name}"]`);
  return text;
}

export class Headers extends Pairs<string> {
  readonly #values = new Map<string, string[]>();

  constructor(init?: HeadersInit) {
    super();
    if (init === undefined) return;
    if (typeof init !== 'object' || init === null)
      throw new TypeError('Headers constructor: the argument must be a sequence or a record.');
    const pairs = Symbol.iterator in init ? [...(init as Iterable<readonly string[]>)] : Object.entries(init);
    for (const pair of pairs) {
      const [name, value, ...others] = pair;
      if (pair.length < 2 || others.length > 0)
        throw new TypeError('Headers constructor: each pair must have a name and a value.');
      this.append(name, value);
    }
  }

  append(...given: [name: unknown, value: unknown]): void {
    const [name, value] = given;
    if (given.length < 2) throw new TypeError('Headers.append: 2 arguments required.');
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

  *entries(): IterableIterator<[string, string]> {
    for (const name of [...this.#values.keys()].sort()) {
      if (name === 'set-cookie') for (const cookie of this.getSetCookie()) yield [name, cookie];
      else yield [name, this.get(name) ?? ''];
    }
  }
}
