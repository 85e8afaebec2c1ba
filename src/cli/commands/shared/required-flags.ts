import { usageError } from '../../lib/errors.js';

type Present<Values> = { [Name in keyof Values]: Exclude<Values[Name], undefined> };

/**
 * Returns the values of flags that the command needs.
 * @param values by flag, as the user writes it: `{ '--name': name }`
 * @throws {CliError} that names all flags that are missing
 */
export function requireFlags<Values extends Readonly<Record<string, unknown>>>(
  values: Values,
  hint?: string,
): Present<Values> {
  const missing = Object.keys(values).filter((flag) => values[flag] === undefined);
  if (missing.length > 0)
    throw usageError(`${joinWords(missing)} ${missing.length === 1 ? 'is' : 'are'} missing.`, hint);
  return values as Present<Values>;
}

/** Joins words as a sentence does: `--name, --type and --rules`. */
function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
