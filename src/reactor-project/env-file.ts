import { parseEnv } from 'node:util';
import { usageError } from '../failure.js';
import { readText } from './text.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A quoted value, which may span lines that look like names, or a name alone on its line. */
const QUOTED_OR_NAME =
  /=[ \t]*(["'`])[\s\S]*?\1|^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*(?:#.*)?$/gm;

/** The names that stand alone, and the text without them. */
function splitNames(text: string): { names: string[]; rest: string } {
  const names: string[] = [];
  const rest = text.replace(QUOTED_OR_NAME, (match: string, _quote, name: string | undefined) => {
    if (name === undefined) return match;
    names.push(name);
    return '';
  });
  return { names, rest };
}

/**
 * The values of an env file: `NAME=value` lines as Node.js and dotenv read them, and `NAME` alone, which takes the value
 * from the environment, so that a committed file names what a pipeline's secrets supply.
 * @throws {CliError} when it cannot be read or names a variable that is not set; it never repeats a value.
 */
export async function readEnvFile(
  path: string,
  what: string,
  env: Environment,
): Promise<Record<string, string>> {
  const { names, rest } = splitNames(await readText(path, what));
  const values: Record<string, string> = {};
  for (const name of names) {
    const value = env[name];
    if (value === undefined)
      throw usageError(`${path} takes ${name} from the environment, where it is not set.`, `Set ${name}.`);
    values[name] = value;
  }
  for (const [name, value] of Object.entries(parseEnv(rest))) if (value !== undefined) values[name] = value;
  return values;
}
