import { CliError, errorLines, type Failure } from '../../lib/errors.js';
import { toFailure } from '../../lib/failure.js';

const CONCURRENCY = 6;

export interface BatchResult<Result> {
  /** The successful results, in the order of the ids. */
  results: Result[];
  failures: { id: string; failure: Failure }[];
}

/** Calls `act` for several ids, a few at a time. A failure does not stop the others; an interruption does. */
export async function forEachId<Result>(
  ids: readonly string[],
  signal: AbortSignal,
  act: (id: string) => Promise<Result>,
): Promise<BatchResult<Result>> {
  const results: { index: number; result: Result }[] = [];
  const failures: { index: number; id: string; failure: Failure }[] = [];
  const waiting = [...ids.entries()].values();
  async function work(): Promise<void> {
    for (const [index, id] of waiting) {
      try {
        results.push({ index, result: await act(id) });
      } catch (error) {
        signal.throwIfAborted();
        failures.push({ index, id, failure: toFailure(error) });
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, ids.length) }, work));
  const inOrder = (a: { index: number }, b: { index: number }) => a.index - b.index;
  return {
    results: results.sort(inOrder).map(({ result }) => result),
    failures: failures.sort(inOrder),
  };
}

/** Throws if any item of a batch failed. @throws {CliError} with the errors of each failed id */
export function throwFailures(failures: BatchResult<unknown>['failures'], total: number, what: string): void {
  if (failures.length === 0) return;
  const errors = Object.fromEntries(
    failures.map(({ id, failure }) => [id, [failure.detail, ...errorLines(failure.errors)]]),
  );
  throw new CliError('failed', `${failures.length} of ${total} ${what} failed.`, { errors });
}
