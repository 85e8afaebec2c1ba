import { callHost, createArgumentError } from '../bridge/host.js';
import { followPairs, type Pair, PairList, replacePairs, updatePairs } from './pairs.js';

function parsePairs(init: unknown): Pair<string>[] {
  if (init === undefined || init === null) return [];
  if (typeof init === 'string') return callHost('parseParams', init);
  if (typeof init !== 'object' && typeof init !== 'function') return callHost('parseParams', String(init));
  const entries = Symbol.iterator in init ? [...(init as Iterable<unknown>)] : Object.entries(init);
  return entries.map((entry) => {
    const pair =
      typeof entry === 'object' && entry !== null && Symbol.iterator in entry
        ? [...(entry as Iterable<unknown>)]
        : [];
    if (pair.length !== 2) {
      throw createArgumentError(
        'Each query pair must be an iterable [name, value] tuple',
        'ERR_INVALID_TUPLE',
      );
    }
    return [String(pair[0]), String(pair[1])];
  });
}

export class URLSearchParams extends PairList<string> {
  constructor(init?: unknown) {
    super((value) => String(value));
    replacePairs(this, parsePairs(init));
  }

  get size(): number {
    return [...this].length;
  }

  sort(): void {
    updatePairs(
      this,
      [...this].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
    );
  }

  override toString(): string {
    const pairs = [...this];
    return pairs.length === 0 ? '' : callHost('formatParams', pairs);
  }
}

/** Properties of a URL, which the host parses. */
const PARTS = [
  ...(['href', 'origin', 'protocol', 'username', 'password'] as const),
  ...(['host', 'hostname', 'port', 'pathname', 'search', 'hash'] as const),
];

export type UrlPart = (typeof PARTS)[number];

/** The global `URL`. */
export class URL {
  #parts: Record<UrlPart, string>;
  readonly #params: URLSearchParams;

  constructor(url: unknown, base?: unknown) {
    this.#parts = callHost('parseUrl', String(url), base === undefined ? undefined : String(base));
    this.#params = new URLSearchParams(this.#parts.search);
    followPairs(this.#params, () => this.#apply('search', this.#params.toString()));
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
    for (const part of PARTS) {
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
              replacePairs(this.#params, parsePairs(this.#parts.search));
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
    this.#parts = callHost('setUrlPart', this.#parts.href, part, value);
  }
}
