import type { ServiceError } from '../../client/errors.js';
import { errorLines } from '../lib/errors.js';

/** Property paths in the answer to a list of create requests start with the index of the entry: `37.data.number`. */
const ENTRY_PATH = /^(\d+)\.(.+)$/s;

/**
 * Returns why the service refused entries of a list, by their index. Messages contain property paths but no values.
 * @param count Number of entries.
 * @returns undefined if the answer does not say which entries it is about
 */
export function refusedEntries(
  { status, problem }: ServiceError,
  count: number,
): Map<number, string> | undefined {
  const byEntry = new Map<number, Record<string, string[]>>();
  for (const [path, messages] of Object.entries(problem.errors ?? {})) {
    const [, digits, property] = ENTRY_PATH.exec(path) ?? [];
    const index = Number(digits);
    if (property === undefined || index >= count) return undefined;
    const errors = byEntry.get(index) ?? {};
    errors[property] = messages;
    byEntry.set(index, errors);
  }
  if (byEntry.size === 0) return undefined;
  // A taken id has the same reason, whether it was sent alone or in a list.
  const reasonOf = (errors: Record<string, string[]>) =>
    status === 409 ? (problem.detail ?? problem.title) : errorLines(errors).join('; ');
  return new Map([...byEntry].map(([index, errors]) => [index, reasonOf(errors)]));
}

/** Returns why the service refused a single create request. */
export function refusalReason({ problem }: ServiceError): string {
  return errorLines(problem.errors).join('; ') || problem.detail || problem.title;
}
