/** Which of the last records of a tenant a collection keeps. */
export interface Retention {
  records: number;
  /** Records that are kept in any case while they are younger than this, in milliseconds. */
  ageMs: number;
  /** Records that are kept at most, however young they are: it bounds their bytes. */
  mostRecords: number;
}

/**
 * Returns the index of the oldest record that is to be kept. Age is counted back from the newest record, so that it runs by
 * the clock of the tenant.
 * @param records in the order in which they were put; the time is in milliseconds since 1970, 0 if it is not known
 * @param from the index of the first record that may be dropped
 */
export function firstKept(
  records: readonly { created: number }[],
  { records: last, ageMs, mostRecords }: Retention,
  from = 0,
): number {
  const youngest = (records.at(-1)?.created ?? 0) - ageMs;
  const isOld = (record: { created: number } | undefined) =>
    record !== undefined && record.created !== 0 && record.created < youngest;
  let first = Math.max(from, records.length - mostRecords);
  while (first < records.length - last && isOld(records[first])) first += 1;
  return first;
}
