import { URL_PARTS, type UrlPart } from '../../host/url-parts.js';
import { createArgumentError } from '../bridge/argument-error.js';
import { callHost } from '../bridge/host-bridge.js';

type Pair = [string, string];

function parsePairs(init: unknown): Pair[] {
  if (init === undefined || init === null) return [];
  if (typeof init === 'string') return callHost('parseParams', init);
  if (typeof init !== 'object' && typeof init !== 'function') return callHost('parseParams', String(init));
  const entries = Symbol.iterator in init ? [...(init as Iterable<unknown>)] : Object.entries(init);
  return entries.map((entry) => {
    const pair =
      typeof entry === 'object' && entry !== null && Symbol.iterator in entry ? [...(entry as Pair)] : [];
    if (pair.length !== 2) {
      throw createArgumentError(
        'Each query pair must be an iterable [name, value] tuple',
        'ERR_INVALID_TUPLE',
      );
    }
    return [String(pair[0]), String(pair[1])];
  });
}

const matches = ([key, text]: Pair, name: string, value: string | undefined): boolean =>
  key === String(name) && (value === undefined || text === String(value));

export class URLSearchParams {
  #pairs: Pair[];
  #changed: (() => void) | undefined;

  constructor(init?: unknown) {
    this.#pairs = parsePairs(init);
  }

  /** Calls `changed` after each change of the parameters, so that their URL can update its search. */
  static follow(params: URLSearchParams, changed: () => void): void {
    params.#changed = changed;
  }

  static replace(params: URLSearchParams, search: string): void {
    params.#pairs = parsePairs(search);
  }

  get size(): number {
    return this.#pairs.length;
  }

  append(name: string, value: string): void {
    this.#update([...this.#pairs, [String(name), String(value)]]);
  }

  delete(name: string, value?: string): void {
    this.#update(this.#pairs.filter((pair) => !matches(pair, name, value)));
  }

  get(name: string): string | null {
    return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
  }

  getAll(name: string): string[] {
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
  }

  has(name: string, value?: string): boolean {
    return this.#pairs.some((pair) => matches(pair, name, value));
  }

  set(name: string, value: string): void {
    const first = this.#pairs.findIndex(([key]) => key === String(name));
    if (first < 0) {
      this.append(name, value);
      return;
    }
    const others = this.#pairs.filter(([key], index) => key !== String(name) || index === first);
    this.#update(others.map((pair) => (pair[0] === String(name) ? [pair[0], String(value)] : pair)));
  }

  sort(): void {
    this.#update([...this.#pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }

  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
    for (const [name, value] of this.#pairs) callback.call(self, value, name, this);
  }

  *entries(): IterableIterator<Pair> {
    for (const [name, value] of this.#pairs) yield [name, value];
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.#pairs) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.#pairs) yield value;
  }

  [Symbol.iterator](): IterableIterator<Pair> {
    return this.entries();
  }

  toString(): string {
    return this.#pairs.length === 0 ? '' : callHost('formatParams', this.#pairs);
  }

  #update(pairs: Pair[]): void {
    this.#pairs = pairs;
    this.#changed?.();
  }
}

/** The global `URL`. The host parses. */
export class URL {
  #parts: Record<UrlPart, string>;
  readonly #params: URLSearchParams;

  constructor(url: unknown, base?: unknown) {
    const input = base === undefined ? { url: String(url) } : { url: String(url), base: String(base) };
    this.#parts = callHost('parseUrl', input);
    this.#params = new URLSearchParams(this.#parts.search);
    URLSearchParams.follow(this.#params, () => this.#apply('search', this.#params.toString()));
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
    for (const part of URL_PARTS) {
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
              URLSearchParams.replace(this.#params, this.#parts.search);
          },
        }),
      });
    }
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
    this.#parts = callHost('setUrlPart', { href: this.#parts.href, part, value });
  }
}
