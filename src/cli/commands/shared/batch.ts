import pLimit from 'p-limit';
import type { Resource } from '../../../contract/resources.js';
import type { Context } from '../../command.js';
import { CliError, type Failure, failureLines } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';
import type { View } from '../../output/view.js';
import { printItem, printWritten } from './entity-names.js';

const CONCURRENCY = 6;

interface FailedId {
  id: string;
  failure: Failure;
}

/** Calls `act` for several ids, a few at a time. A failure does not stop the others; an interruption does. */
async function forEachId<Result>(
  ids: readonly string[],
  signal: AbortSignal,
  act: (id: string) => Promise<Result>,
): Promise<{ results: Result[]; failures: FailedId[] }> {
  const outcomes = await pLimit(CONCURRENCY).map(ids, async (id): Promise<{ result: Result } | FailedId> => {
    signal.throwIfAborted();
    try {
      return { result: await act(id) };
    } catch (error) {
      signal.throwIfAborted();
      return { id, failure: toFailure(error) };
    }
  });
  return {
    results: outcomes.flatMap((outcome) => ('failure' in outcome ? [] : [outcome.result])),
    failures: outcomes.filter((outcome) => 'failure' in outcome),
  };
}

/** Calls `act` for each id and prints the results: that of a single id as an object, those of several as a list. */
export async function printEach(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
  { view, what }: { view: View; what: string },
  context: Context,
): Promise<void> {
  const { output, signal } = context;
  const [id] = ids;
  if (id !== undefined && ids.length === 1)
    return view.brief
      ? printWritten(await act(id), 'token', view, context)
      : printItem(await act(id), view, context);
  const { results, failures } = await forEachId(ids, signal, act);
  await output.list(results, view);
  throwFailures(failures, ids.length, what);
}

type Names = Pick<Resource, 'deletion'> & { noun: string; collection: string };

/** Describes what is deleted: `proxy processor`, `3 proxies`. */
export function describeReferences({ noun, collection }: Names, references: readonly string[]): string {
  return references.length === 1 ? `${noun} ${references[0]}` : `${references.length} ${collection}`;
}

/** Deletes objects without a question, and says so of each. */
export async function deleteEach(
  names: Names,
  references: readonly string[],
  remove: (reference: string) => Promise<unknown>,
  { output, signal }: Context,
): Promise<void> {
  const { noun, collection, deletion } = names;
  const deleteOne = async (reference: string) => {
    await remove(reference);
    output.notice([`Deleted ${noun} ${reference}.`, deletion].filter(Boolean).join(' '));
  };
  const [only] = references;
  if (only !== undefined && references.length === 1) return deleteOne(only);
  const { failures } = await forEachId(references, signal, deleteOne);
  throwFailures(failures, references.length, collection);
}

function throwFailures(failures: readonly FailedId[], total: number, what: string): void {
  if (failures.length === 0) return;
  const errors = Object.fromEntries(failures.map(({ id, failure }) => [id, failureLines(failure)]));
  throw new CliError('failed', `${failures.length} of ${total} ${what} failed.`, { errors });
}
