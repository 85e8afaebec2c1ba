import { isObject } from '../../../contract/json.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { parseJsonOrText } from '../../lib/json.js';
import { parsePairs, readJson } from '../shared/input.js';

export interface ArgumentOptions {
  args?: string | undefined;
  arg?: string[] | undefined;
}

/** The arguments of an invocation; undefined when none were given. */
export async function readArguments(
  { args, arg }: ArgumentOptions,
  context: Context,
): Promise<Record<string, unknown> | string | undefined> {
  const pairs = Object.entries(parsePairs(arg ?? [], '--arg'));
  const named = Object.fromEntries(
    pairs.map(([name, value]) => [name, parseJsonOrText(value, `--arg ${name}`)]),
  );
  if (args === undefined) return arg ? named : undefined;
  // One expression may stand for all of the arguments, when it gives an object.
  const whole = args.trim().startsWith('{{') ? args : await readJson(args, '--args', context);
  if (typeof whole === 'string') {
    if (arg) throw usageError('--arg cannot be added to --args that are one expression.');
    return whole;
  }
  if (!isObject(whole)) throw usageError('--args must be a JSON object, or an expression that gives one.');
  return { ...whole, ...named };
}
