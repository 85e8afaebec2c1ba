import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../command.js';
import { countOf } from '../../../lib/text.js';
import { toFailure } from '../../../lib/to-failure.js';
import { failureText } from '../../../output/failure.js';

/** Runs a step, with `--watch` again whenever an input file changes. The step adds the paths of its input files to the set. */
export async function runOnChange(
  { watch }: { watch?: boolean | undefined },
  run: (inputs: Set<string>) => Promise<void>,
  { output, settings, signal }: Context,
): Promise<void> {
  const inputs = new Set<string>();
  if (!watch) return run(inputs);
  for (;;) {
    const start = Date.now();
    const failure = await run(inputs).then(
      () => undefined,
      (error: Error) => error,
    );
    const { green, red } = output.style;
    if (failure) {
      signal.throwIfAborted();
      if (inputs.size === 0) throw failure;
      output.failure(failureText(toFailure(failure), output.style));
    }
    const end = failure ? red('Failed') : green('Done');
    output.notice(`${end} in ${Date.now() - start} ms. Watching ${countOf(inputs.size, 'file')} …`);
    const changed = await waitForChange(inputs, start, signal);
    const names = changed.map((path) => relative(settings.cwd, path));
    output.notice(`${names.join(', ')} changed.`);
  }
}

/** Polling works on every file system and with editors that replace files. Goal W2: green or red within 300 ms of a save. */
const INTERVAL_MS = 50;
/** How long a run that itself touches what it reads is not repeated. */
const PAUSE_MS = 250;

/** What differs after a change of a file, and when it last changed, in milliseconds since 1970. */
async function readStamp(path: string): Promise<{ content: string; changedAt: number }> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(path);
    return { content: `${mtimeMs} ${size} ${ino}`, changedAt: ctimeMs };
  } catch {
    return { content: 'missing', changedAt: 0 };
  }
}

/** Waits until files change. One that has changed since the beginning of a run counts, even if the run read it first. */
export async function waitForChange(
  files: Iterable<string>,
  since: number,
  signal: AbortSignal,
): Promise<string[]> {
  const paths = [...files];
  const readStamps = () => Promise.all(paths.map(readStamp));
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  const before = await readStamps();
  const early = paths.filter((_path, index) => (before[index]?.changedAt ?? 0) > since);
  if (early.length > 0) {
    await pause(PAUSE_MS);
    return early;
  }
  for (;;) {
    await pause(INTERVAL_MS);
    const now = await readStamps();
    const changed = paths.filter((_path, index) => now[index]?.content !== before[index]?.content);
    if (changed.length > 0) return changed;
  }
}
