/**
 * Returns the index of the first item that passes a test, or the length if none does. The items behind one that passes must
 * pass too.
 */
export function firstIndexWhere<T>(items: readonly T[], test: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
