/** Splits a list into the items that match and the others, both in the order of the list. */
export function partition<T>(
  items: readonly T[],
  matches: (item: T, index: number) => boolean,
): [matching: T[], others: T[]] {
  const parts: [T[], T[]] = [[], []];
  for (const [index, item] of items.entries()) parts[matches(item, index) ? 0 : 1].push(item);
  return parts;
}
