import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Files are polled: unlike notifications, this works on every file system and with editors that replace files. */
const INTERVAL_MS = 250;

async function readStamp(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'missing';
  }
}

async function readStamps(paths: Iterable<string>): Promise<Map<string, string>> {
  const entries = [...new Set(paths)].map(async (path) => [path, await readStamp(path)] as const);
  return new Map(await Promise.all(entries));
}

/** Waits for changes of files. A change counts from the previous wait on, so that none during a run is missed. */
export class FileWatcher {
  #stamps = new Map<string, string>();

  constructor(private readonly signal: AbortSignal) {}

  /**
   * Resolves when one of the files has changed, appeared or disappeared.
   * @throws the reason of the signal.
   */
  async nextChange(paths: Iterable<string>): Promise<void> {
    const now = await readStamps(paths);
    const before = new Map([...now].map(([path, stamp]) => [path, this.#stamps.get(path) ?? stamp]));
    do {
      await sleep(INTERVAL_MS, undefined, { signal: this.signal }).catch(() => undefined);
      this.signal.throwIfAborted();
      this.#stamps = await readStamps(before.keys());
    } while ([...before].every(([path, stamp]) => this.#stamps.get(path) === stamp));
  }
}
