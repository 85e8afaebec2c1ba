/** Spaces between two columns. */
export const GAP = 2;

export interface ColumnNeed {
  /** Width of the widest cell or the title. */
  natural: number;
  /** Width below which the column is of no use. */
  min: number;
  /** The column with the lowest one is dropped first; of equal ones, the rightmost. */
  importance: number;
}

/**
 * Fits columns into the width of a terminal: drops the least important until the others have their minimum, and then cuts
 * the widest. Returns a width for each column; 0 for one that is dropped.
 */
export function fitColumns(needs: readonly ColumnNeed[], available: number): number[] {
  const kept = new Set(needs.keys());
  const sum = (width: (need: ColumnNeed) => number): number =>
    [...kept].reduce((total, index) => total + width(needs[index] as ColumnNeed), GAP * (kept.size - 1));
  while (kept.size > 1 && sum(({ min }) => min) > available) kept.delete(leastImportant(needs, kept));
  const capped = (cap: number) => (need: ColumnNeed) => Math.max(need.min, Math.min(need.natural, cap));
  let cap = Math.max(...needs.map(({ natural }) => natural), 0);
  if (sum(({ natural }) => natural) > available) while (cap > 1 && sum(capped(cap)) > available) cap -= 1;
  // What is left over when every column is cut to the same width goes to the first of those that were cut.
  let spare = available - sum(capped(cap));
  return needs.map((need, index) => {
    if (!kept.has(index)) return 0;
    const width = capped(cap)(need);
    const extra = Math.max(0, Math.min(spare, need.natural - width));
    if (Number.isFinite(extra)) spare -= extra;
    return Math.min(width + extra, available);
  });
}

function leastImportant(needs: readonly ColumnNeed[], kept: ReadonlySet<number>): number {
  const importance = (index: number) => needs[index]?.importance ?? 0;
  return [...kept].reduce((least, index) => (importance(index) <= importance(least) ? index : least));
}
