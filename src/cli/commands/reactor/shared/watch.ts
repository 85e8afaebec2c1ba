import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../command.js';
import { countOf } from '../../../lib/text.js';
import { toFailure } from '../../../lib/to-failure.js';
import { failureText } from '../../../output/failure.js';

/**
 * Runs a step, with `--watch` again whenever one of its input files changes. A failure is printed then, and the next change
 * awaited.
 * @param run Adds the absolute paths of its input files to the set, which is kept from run to run.
 * @throws what the first run throws if it has no input files; the reason of the signal after Ctrl-C.
 */
export async function runOnChange(
  { watch }: { watch?: boolean | undefined },
  run: (inputs: Set<string>) => Promise<void>,
  { output, signal }: Context,
): Promise<void> {
  const inputs = new Set<string>();
  if (!watch) return run(inputs);
  const watcher = new FileWatcher(signal);
  for (;;) {
    try {
      await run(inputs);
    } catch (error) {
      signal.throwIfAborted();
      if (inputs.size === 0) throw error;
      output.failure(failureText(toFailure(error), output.style));
    }
    output.notice(`Watching ${countOf(inputs.size, 'file')} …`);
    await watcher.nextChange(inputs);
  }
}

/** Files are polled: unlike notifications, this works on every file system and with editors that replace files. */
const INTERVAL_MS = 250;

/** What differs after a change of a file, and when it last changed, in milliseconds since 1970. */
interface Stamp {
  content: string;
  changedAt: number;
}

async function readStamp(path: string): Promise<Stamp> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(path);
    return { content: `${mtimeMs} ${size} ${ino}`, changedAt: ctimeMs };
  } catch {
    return { content: 'missing', changedAt: 0 };
  }
}

async function readStamps(paths: Iterable<string>): Promise<Map<string, Stamp>> {
  const entries = [...new Set(paths)].map(async (path) => [path, await readStamp(path)] as const);
  return new Map(await Promise.all(entries));
}

/**
 * Waits for changes of files. A change counts from the previous wait on, or from the creation of the watcher, so that none
 * during a run is missed, not even of a file that the run is the first to read.
 */
export class FileWatcher {
  #stamps = new Map<string, Stamp>();
  #since = Date.now();

  constructor(private readonly signal: AbortSignal) {}

  /**
   * Resolves when one of the files has changed, appeared or disappeared.
   * @throws the reason of the signal.
   */
  async nextChange(paths: Iterable<string>): Promise<void> {
    const before = new Map<string, string | undefined>();
    for (const [path, { content, changedAt }] of await readStamps(paths)) {
      const isUnchanged = changedAt <= this.#since;
      before.set(path, this.#stamps.get(path)?.content ?? (isUnchanged ? content : undefined));
    }
    do {
      await sleep(INTERVAL_MS, undefined, { signal: this.signal }).catch(() => undefined);
      this.signal.throwIfAborted();
      this.#since = Date.now();
      this.#stamps = await readStamps(before.keys());
    } while ([...before].every(([path, content]) => this.#stamps.get(path)?.content === content));
  }
}
