import type { Checkpoint } from '../../bulk/checkpoint.js';
import type { Context } from '../../command.js';
import { createProgress } from '../../output/progress.js';

/** Number of rejects that are printed on stderr. */
const SHOWN_REJECTS = 10;

/**
 * Runs a bulk job and shows its progress. If it stops early, prints how far it is and how to resume it.
 * @param unit what is counted, in the singular: `row`
 * @param total number of all items; undefined if it is not known
 * @param run gets a function to call with the number of items that have been done
 */
export async function showJobProgress(
  { path, state }: Checkpoint,
  { unit, total }: { unit: string; total: number | undefined },
  { output }: Context,
  run: (onProgress: (items: number) => void) => Promise<void>,
): Promise<void> {
  const progress = createProgress(output, { unit: `${unit}s`, done: state.done, total });
  try {
    await run(progress.advance);
  } catch (error) {
    const after = `Stopped after ${unit} ${state.done}${total === undefined ? '' : ` of ${total}`}.`;
    const how =
      path === undefined
        ? 'Only a run with --checkpoint FILE can be resumed.'
        : 'Run the same command again to resume.';
    const hasBegun = state.reserved > 0;
    if (hasBegun) output.notice(`${after} ${how}`);
    throw error;
  } finally {
    progress.stop();
  }
}

/**
 * Creates a function that prints the first rejects as warnings.
 * @param describe names the row or token
 * @param more printed once when there are more
 */
export function createRejectReporter<Reject extends { reason: string }>(
  { output }: Context,
  describe: (reject: Reject) => string,
  more: string,
): (reject: Reject) => void {
  let reported = 0;
  return (reject) => {
    reported++;
    if (reported <= SHOWN_REJECTS)
      output.warn(`${describe(reject)}: ${reject.reason.replaceAll('\n', '\\n')}`);
    else if (reported === SHOWN_REJECTS + 1) output.warn(more);
  };
}
