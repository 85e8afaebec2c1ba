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
  for (;;) {
    const start = Date.now();
    try {
      await run(inputs);
    } catch (error) {
      signal.throwIfAborted();
      if (inputs.size === 0) throw error;
      output.failure(failureText(toFailure(error), output.style));
    }
    output.notice(`Watching ${countOf(inputs.size, 'file')} …`);
    await waitForChange(inputs, start, signal);
  }
}

/** Files are polled: unlike notifications, this works on every file system and with editors that replace files. */
const INTERVAL_MS = 250;

/** What differs after a change of a file, and when it last changed, in milliseconds since 1970. */
async function readStamp(path: string): Promise<{ content: string; changedAt: number }> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(path);
    return { content: `${mtimeMs} ${size} ${ino}`, changedAt: ctimeMs };
  } catch {
    return { content: 'missing', changedAt: 0 };
  }
}

/**
 * Waits until one of the files changes, appears or disappears. One that has changed since the beginning of a run counts, even if
 * the run was the first to read it.
 * @throws the reason of the signal
 */
export async function waitForChange(
  files: Iterable<string>,
  since: number,
  signal: AbortSignal,
): Promise<void> {
  const readStamps = () => Promise.all([...files].map(readStamp));
  const pause = () => sleep(INTERVAL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  const before = await readStamps();
  // A run may itself touch what it reads: it is not repeated without a pause.
  if (before.some(({ changedAt }) => changedAt > since)) return pause();
  for (;;) {
    await pause();
    const now = await readStamps();
    if (now.some(({ content }, index) => content !== before[index]?.content)) return;
  }
}
