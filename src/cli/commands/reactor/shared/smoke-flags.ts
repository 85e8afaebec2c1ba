import { isObject } from '../../../../contract/json.js';
import type { Context } from '../../../command.js';
import { usageError } from '../../../lib/errors.js';
import type { SmokeCase } from '../../../manifest/schema.js';
import { readJson } from '../../shared/input.js';

/** Flags that test a reactor after its deployment. */
export interface SmokeFlags {
  smoke?: string | undefined;
  expect?: string | undefined;
}

function isArguments(value: unknown): value is SmokeCase['args'] {
  return typeof value === 'string' || isObject(value);
}

/** Reads the smoke test; undefined without `--smoke`. @throws {CliError} if a flag is not valid. */
export async function readSmokeTest(
  { smoke, expect }: SmokeFlags,
  context: Context,
): Promise<SmokeCase | undefined> {
  if (smoke === undefined) {
    if (expect !== undefined) throw usageError('--expect requires --smoke.');
    return undefined;
  }
  const args = await readJson(smoke, '--smoke', context);
  if (!isArguments(args)) throw usageError('--smoke must be a JSON object: the arguments of the reactor.');
  return expect === undefined ? { args } : { args, expect: await readJson(expect, '--expect', context) };
}
