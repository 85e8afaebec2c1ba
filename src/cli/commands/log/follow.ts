import { setTimeout as sleep } from 'node:timers/promises';
import { everyItem, type FetchPage } from '../../../client/pages.js';
import type { LogEntry } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';

const INTERVAL_MS = 1_000;
/** Entries to begin with. */
const FIRST = 20;

/**
 * Prints the last entries, the oldest first, and then new ones as they are written, until Ctrl-C.
 * @param fetchFrom fetches the pages of entries from a time on, the newest first
 */
export async function followLog(
  fetchFrom: (start: string | undefined) => FetchPage<LogEntry>,
  print: (entry: LogEntry) => Promise<void>,
  { signal }: Context,
): Promise<void> {
  let printed = new Set<string>();
  let last: string | undefined;
  for (;;) {
    const limit = last === undefined ? { limit: FIRST } : {};
    const found: LogEntry[] = [];
    for await (const entry of everyItem(fetchFrom(last), limit)) found.unshift(entry);
    for (const entry of found) if (!printed.has(entry.id)) await print(entry);
    // The next request starts at the time of the last entry, which others may share.
    if (found.length > 0) printed = new Set(found.map(({ id }) => id));
    last = found.at(-1)?.created_at ?? last;
    await sleep(INTERVAL_MS, undefined, { signal });
  }
}
