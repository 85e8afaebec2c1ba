import { callHost, createArgumentError } from '../bridge/host.js';

type Pair = [name: string, value: string];

function parsePairs(init: unknown): Pair[] {
  if (init === undefined || init === null) return [];
  if (typeof init === 'string') return callHost('parseParams', init);
  if (typeof init !== 'object' && typeof init !== 'function') return callHost('parseParams', String(init));
  const entries = Symbol.iterator in init ? [...(init as Iterable<unknown>)] : Object.entries(init);
  return entries.map((entry) => {
    const pair =
      typeof entry === 'object' && entry !== null && Symbol.iterator in entry
        ? [...(entry as Iterable<unknown>)]
        : [];
    if (pair.length !== 2)
      throw createArgumentError(
        'Each query pair must be an iterable [name, value] tuple',
        'ERR_INVALID_TUPLE',
      );
    return [String(pair[0]), String(pair[1])];
  });
}

/** The pairs of a list, and what is called when code changes them. */
interface Query {
  pairs: Pair[];
  onChange(): void;
}

/** Gives the URL of a list access to its private state. */
let queryOf: (params: URLSearchParams) => Query;

export class URLSearchParams {
  readonly #query: Query;

  constructor(init?: unknown) {
    this.#query = { pairs: parsePairs(init), onChange() {} };
  }

  static {
    queryOf = (params) => params.#query;
  }

  get size(): number {
    return this.#query.pairs.length;
  }

  append(name: unknown, value: unknown): void {
    this.#update([...this.#query.pairs, [String(name), String(value)]]);
  }

  /** @param value if it is given, only pairs with this value are deleted */
  delete(name: unknown, value?: unknown): void {
    this.#update(this.#query.pairs.filter((pair) => !matches(pair, name, value)));
  }

  get(name: unknown): string | null {
    return this.#query.pairs.find((pair) => matches(pair, name))?.[1] ?? null;
  }

  getAll(name: unknown): string[] {
    return this.#query.pairs.filter((pair) => matches(pair, name)).map(([, value]) => value);
  }

  has(name: unknown, value?: unknown): boolean {
    return this.#query.pairs.some((pair) => matches(pair, name, value));
  }

  set(name: unknown, value: unknown): void {
    const created: Pair = [String(name), String(value)];
    const { pairs } = this.#query;
    const at = pairs.findIndex((pair) => matches(pair, name));
    const others = pairs.filter((pair) => !matches(pair, name));
    this.#update(at < 0 ? [...pairs, created] : [...others.slice(0, at), created, ...others.slice(at)]);
  }

  sort(): void {
    this.#update([...this.#query.pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }

  *entries(): IterableIterator<Pair> {
    for (const [name, value] of this.#query.pairs) yield [name, value];
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): IterableIterator<Pair> {
    return this.entries();
  }

  forEach(callback: (value: string, name: string, params: this) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }

  toString(): string {
    const { pairs } = this.#query;
    return pairs.length === 0 ? '' : callHost('formatParams', pairs);
  }

  #update(pairs: Pair[]): void {
    this.#query.pairs = pairs;
    this.#query.onChange();
  }
}

const matches = ([key, text]: Pair, name: unknown, value?: unknown): boolean =>
  key === String(name) && (value === undefined || text === String(value));

/** Properties of a URL, which the host parses. */
const PARTS = [
  ...(['href', 'origin', 'protocol', 'username', 'password'] as const),
  ...(['host', 'hostname', 'port', 'pathname', 'search', 'hash'] as const),
];

type UrlPart = (typeof PARTS)[number];

export class URL {
  #parts: Record<UrlPart, string>;
  readonly #params: URLSearchParams;

  constructor(url: unknown, base?: unknown) {
    this.#parts = callHost('parseUrl', String(url), base === undefined ? undefined : String(base));
    this.#params = new URLSearchParams(this.#parts.search);
    queryOf(this.#params).onChange = () => this.#apply('search', this.#params.toString());
  }

  static canParse(url: unknown, base?: unknown): boolean {
    try {
      new URL(url, base);
      return true;
    } catch {
      return false;
    }
  }

  static {
    for (const part of PARTS)
      Object.defineProperty(URL.prototype, part, {
        enumerable: true,
        configurable: true,
        get(this: URL) {
          return this.#parts[part];
        },
        ...(part !== 'origin' && {
          set(this: URL, value: unknown) {
            this.#apply(part, String(value));
            if (part === 'search' || part === 'href')
              queryOf(this.#params).pairs = parsePairs(this.#parts.search);
          },
        }),
      });
  }

  get searchParams(): URLSearchParams {
    return this.#params;
  }

  toString(): string {
    return this.#parts.href;
  }

  toJSON(): string {
    return this.#parts.href;
  }

  #apply(part: UrlPart, value: string): void {
    this.#parts = callHost('setUrlPart', this.#parts.href, part, value);
  }
}
