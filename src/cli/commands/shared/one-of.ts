import { usageError } from '../../lib/errors.js';
import { findNearest } from '../../lib/nearest.js';

/** @throws {CliError} when the value is not one of the known ones. */
export function oneOf<Value extends string>(
  known: readonly Value[],
  value: string | undefined,
  flag: string,
): Value | undefined {
  if (value === undefined) return undefined;
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  const nearest = findNearest(value, known);
  const suggestion = nearest === undefined ? '.' : `; did you mean ${nearest}?`;
  throw usageError(`${flag} must be one of ${known.join(', ')}${suggestion}`);
}
