import type { Context } from '../../../command.js';
import { countOf } from '../../../lib/count.js';
import { FileWatcher } from '../../../lib/file-watcher.js';
import { toFailure } from '../../../lib/to-failure.js';
import { failureText } from '../../../output/failure.js';

/**
 * Runs a step, and again whenever one of its input files changes. A failure is printed, and the next change awaited.
 * @param run Adds the absolute paths of its input files to the set, which is kept from run to run.
 * @throws what the first run throws if it has no input files; the reason of the signal after Ctrl-C.
 */
export async function runOnChange(
  run: (inputs: Set<string>) => Promise<void>,
  { output, signal }: Context,
): Promise<never> {
  const watcher = new FileWatcher(signal);
  const inputs = new Set<string>();
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
