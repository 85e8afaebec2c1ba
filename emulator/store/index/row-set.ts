/** Rows that meet a condition. A `Set` is one; ranges and differences are computed as they are read. */
export interface RowSet<T> extends Iterable<T> {
  readonly size: number;
  has(row: T): boolean;
}

/** Consecutive rows of a sorted array. */
export class RowRange<T> implements RowSet<T> {
  readonly size: number;

  /** Takes the rows from index `start` up to, not including, `end`; `has` must hold for these rows alone. */
  constructor(
    private readonly rows: readonly T[],
    private readonly start: number,
    end: number,
    readonly has: (row: T) => boolean,
  ) {
    this.size = Math.max(0, end - start);
  }

  *[Symbol.iterator](): Generator<T> {
    for (let i = 0; i < this.size; i += 1) yield this.rows[this.start + i] as T;
  }
}

class RowDifference<T> implements RowSet<T> {
  readonly size: number;

  constructor(
    readonly base: RowSet<T>,
    readonly excluded: RowSet<T>,
  ) {
    this.size = base.size - countCommon(base, excluded);
  }

  has(row: T): boolean {
    return this.base.has(row) && !this.excluded.has(row);
  }

  *[Symbol.iterator](): Generator<T> {
    for (const row of this.base) if (!this.excluded.has(row)) yield row;
  }
}

function countCommon<T>(a: RowSet<T>, b: RowSet<T>): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let count = 0;
  for (const row of few) if (many.has(row)) count += 1;
  return count;
}

/** Returns the rows that are in all of the sets, out of `everything`. Takes time in proportion to the smallest set. */
export function intersect<T>(sets: RowSet<T>[], everything: RowSet<T>): RowSet<T> {
  const excluded: RowSet<T>[] = [];
  const included: RowSet<T>[] = [];
  for (const set of sets)
    if (set instanceof RowDifference && set.base === everything) excluded.push(set.excluded);
    else if (set.size < everything.size) included.push(set);
  const [smallest = everything, ...others] = included.sort((a, b) => a.size - b.size);
  const common = others.length === 0 ? smallest : keep(smallest, others);
  return excluded.reduce((rest, set) => subtract(rest, set), common);
}

function keep<T>(rows: RowSet<T>, others: RowSet<T>[]): Set<T> {
  const kept = new Set<T>();
  for (const row of rows) if (others.every((other) => other.has(row))) kept.add(row);
  return kept;
}

export function subtract<T>(base: RowSet<T>, excluded: RowSet<T>): RowSet<T> {
  return excluded.size === 0 ? base : new RowDifference(base, excluded);
}

/** Returns the rows that are in any of the sets. Takes time in proportion to their sum, unless they overlap widely. */
export function unite<T>(sets: RowSet<T>[], everything: RowSet<T>): RowSet<T> {
  const [first] = sets;
  if (sets.length === 1 && first !== undefined) return first;
  const all = sets.find((set) => set.size === everything.size);
  if (all) return all;
  const rows = new Set<T>();
  if (sets.reduce((sum, set) => sum + set.size, 0) > everything.size) {
    const largestFirst = sets.toSorted((a, b) => b.size - a.size);
    for (const row of everything) if (largestFirst.some((set) => set.has(row))) rows.add(row);
    return rows;
  }
  for (const set of sets) for (const row of set) rows.add(row);
  return rows;
}
