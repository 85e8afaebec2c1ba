import { stringify } from 'safe-stable-stringify';
import { CliError, type Failure, failureLines } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';
import type { ObjectResult } from '../apply/result.js';

/** Returns the value that all items have in common; undefined if they differ. */
function common<Value>(values: readonly Value[]): Value | undefined {
  const [first] = values;
  return values.every((value) => value === first) ? first : undefined;
}

/** Whether two failures say the same: each request has a trace ID of its own. */
const toMessage = ({ detail, errors, hint }: Failure): string => stringify({ detail, errors, hint }) ?? '';

/** Returns the failure that all failed objects have in common; undefined if they differ or only one failed. */
export function findCommonFailure(results: readonly ObjectResult[]): Failure | undefined {
  const failures = results.filter(({ status }) => status === 'failed').map(({ error }) => toFailure(error));
  const [first] = failures;
  return failures.length > 1 && common(failures.map(toMessage)) !== undefined ? first : undefined;
}

/**
 * Throws if an object failed. The failure of a single object, or one that all failures have in common, is thrown as it
 * is. If nothing was changed, the exit code is that of the common cause; otherwise it is 1.
 */
export function throwFailures(results: readonly ObjectResult[]): void {
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return;
  if (results.length === 1) throw failed[0]?.error;
  const failures = failed.map(({ error }) => toFailure(error));
  const isChanged = results.some(({ status, remote }) => status !== 'failed' && remote !== 'untouched');
  const category = isChanged ? undefined : common(failures.map((one) => one.category));
  const shared = findCommonFailure(results);
  const count = `${failed.length} of ${results.length} objects failed`;
  throw new CliError(category ?? 'failed', shared ? `${count}: ${shared.detail}` : `${count}.`, {
    status: shared?.status,
    hint: shared?.hint ?? common(failures.map(({ hint }) => hint)),
    errors:
      shared?.errors ??
      (shared
        ? undefined
        : Object.fromEntries(
            failed.map(({ kind, name, error }) => [`${kind} ${name}`, failureLines(toFailure(error))]),
          )),
  });
}
