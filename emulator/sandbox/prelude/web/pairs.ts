export type Pair<Value> = [name: string, value: Value];

/** How `Headers`, `FormData` and `URLSearchParams` are iterated. */
export abstract class Pairs<Value> {
  abstract entries(): IterableIterator<Pair<Value>>;

  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): IterableIterator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): IterableIterator<Pair<Value>> {
    return this.entries();
  }

  forEach(callback: (value: Value, name: string, pairs: this) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }
}

/** Replaces the pairs of a list, without a call of its listener. */
export let replacePairs: <Value>(list: PairList<Value>, pairs: Pair<Value>[]) => void;
/** The same with a call of its listener. */
export let updatePairs: typeof replacePairs;
/** Sets the listener of a list. */
export let followPairs: <Value>(list: PairList<Value>, listener: () => void) => void;

/** What `FormData` and `URLSearchParams` have in common. */
export class PairList<Value> extends Pairs<Value> {
  #pairs: Pair<Value>[] = [];
  readonly #convert: (...value: unknown[]) => Value;
  #onChange = () => {};

  static {
    replacePairs = (list, pairs) => {
      list.#pairs = pairs;
    };
    updatePairs = (list, pairs) => list.#update(pairs);
    followPairs = (list, listener) => {
      list.#onChange = listener;
    };
  }

  /** @param convert makes a value of what follows the name in a call */
  constructor(convert: (...value: unknown[]) => Value) {
    super();
    this.#convert = convert;
  }

  append(name: unknown, ...value: unknown[]): void {
    this.#update([...this.#pairs, [String(name), this.#convert(...value)]]);
  }

  /** @param value if it is given, only pairs with this value are deleted */
  delete(name: unknown, value?: unknown): void {
    this.#update(this.#pairs.filter((pair) => !matches(pair, name, value)));
  }

  get(name: unknown): Value | null {
    return this.#pairs.find((pair) => matches(pair, name))?.[1] ?? null;
  }

  getAll(name: unknown): Value[] {
    return this.#pairs.filter((pair) => matches(pair, name)).map(([, value]) => value);
  }

  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some((pair) => matches(pair, name, value));
  }

  set(name: unknown, ...value: unknown[]): void {
    const created: Pair<Value> = [String(name), this.#convert(...value)];
    const first = this.#pairs.find((pair) => matches(pair, name));
    const others = this.#pairs.filter((pair) => pair === first || !matches(pair, name));
    this.#update(first ? others.map((pair) => (pair === first ? created : pair)) : [...others, created]);
  }

  *entries(): IterableIterator<Pair<Value>> {
    for (const [name, value] of this.#pairs) yield [name, value];
  }

  #update(pairs: Pair<Value>[]): void {
    this.#pairs = pairs;
    this.#onChange();
  }
}

const matches = ([key, text]: Pair<unknown>, name: unknown, value?: unknown): boolean =>
  key === String(name) && (value === undefined || text === String(value));
