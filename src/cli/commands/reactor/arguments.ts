import { isObject } from '../../../contract/json.js';
import type { Context } from '../../command.js';
import type { ArgumentFlags } from '../../flags/project-flags.js';
import { usageError } from '../../lib/errors.js';
import { parseJsonOrText } from '../../lib/json.js';
import { parsePairs, readJson } from '../shared/input.js';

/** Reads the arguments of an invocation from `--args` and `--arg`; undefined without both. */
export async function readArguments(
  { args, arg }: ArgumentFlags,
  context: Context,
): Promise<Record<string, unknown> | string | undefined> {
  const pairs = Object.entries(parsePairs(arg ?? [], '--arg'));
  const named = Object.fromEntries(
    pairs.map(([name, value]) => [name, parseJsonOrText(value, `--arg ${name}`)]),
  );
  if (args === undefined) return arg ? named : undefined;
  // A single expression that evaluates to an object may replace all arguments.
  const whole = args.trim().startsWith('{{') ? args : await readJson(args, '--args', context);
  if (typeof whole === 'string') {
    if (arg) throw usageError('--arg cannot be combined with --args that is an expression.');
    return whole;
  }
  if (!isObject(whole))
    throw usageError('--args must be a JSON object, or an expression that evaluates to one.');
  return { ...whole, ...named };
}
