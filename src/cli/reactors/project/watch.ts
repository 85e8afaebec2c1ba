import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Files are asked for their times: unlike notifications, that works on every file system and through editors' renames. */
const INTERVAL_MS = 250;

async function stampOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'missing';
  }
}

async function stampsOf(paths: Iterable<string>): Promise<Map<string, string>> {
  const entries = [...new Set(paths)].map(async (path) => [path, await stampOf(path)] as const);
  return new Map(await Promise.all(entries));
}

async function hasChanged(stamps: ReadonlyMap<string, string>): Promise<boolean> {
  const now = await stampsOf(stamps.keys());
  return [...stamps].some(([path, stamp]) => now.get(path) !== stamp);
}

/**
 * Runs again whenever a file has changed that the last run depended on; ends when the signal is aborted.
 * @param run gives the files it depended on, those that are missing among them.
 * @throws the reason of the signal.
 */
export async function runOnChange(run: () => Promise<Iterable<string>>, signal: AbortSignal): Promise<never> {
  let before = new Map<string, string>();
  for (;;) {
    const files = [...(await run())];
    // What was known before the run keeps its older stamp: a change during the run counts.
    const stamps = new Map(
      [...(await stampsOf(files))].map(([path, now]) => [path, before.get(path) ?? now]),
    );
    do {
      await sleep(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    } while (!(await hasChanged(stamps)));
    before = await stampsOf(files);
  }
}
