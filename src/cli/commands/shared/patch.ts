import { isObject } from '../../../contract/json.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { readJson } from './input.js';

type Patch = Record<string, unknown>;

/**
 * Adds the values of other flags to the merge patch of `--patch`. Maps that are in both are merged.
 * @throws {CliError} when there is nothing to update
 */
export async function readPatch(
  patch: string | undefined,
  flags: Patch,
  context: Context,
  atLeast: string,
): Promise<Patch> {
  const whole = patch === undefined ? {} : await readJson(patch, '--patch', context);
  if (!isObject(whole)) throw usageError('--patch must be a JSON object.');
  const merged: Patch = { ...whole };
  for (const [name, value] of Object.entries(flags)) {
    const before = whole[name];
    merged[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  if (Object.keys(merged).length === 0)
    throw usageError('Nothing to update.', `Give --patch, ${atLeast} or another flag.`);
  return merged;
}
