/** Which of the last records of a tenant a collection keeps. */
export interface Retention {
  records: number;
  /** Records that are kept in any case while they are younger than this, in milliseconds. */
  ageMs: number;
  /** Records that are kept at most, however young they are: it bounds their bytes. */
  mostRecords: number;
}

/** Returns the index of the oldest record to keep. Age is counted back from the newest, by the clock of the tenant. */
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
