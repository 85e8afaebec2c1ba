import { parseEnv } from 'node:util';
import { usageError } from '../../lib/errors.js';
import { readText } from './source-file.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A quoted value, which may span lines that look like names, or a name alone on its line. */
const QUOTED_OR_NAME =
  /=[ \t]*(["'`])[\s\S]*?\1|^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*(?:#.*)?$/gm;

/** What can be nothing but a name. A line of a value that spans several without quotes looks like other names. */
const CERTAIN_NAME = /^[A-Z]+(?:_[A-Z0-9]+)*$/;

interface LoneName {
  name: string;
  /** From 1. */
  line: number;
}

/** The names that stand alone, and the text without them. */
function splitNames(text: string): { names: LoneName[]; rest: string } {
  const names: LoneName[] = [];
  const rest = text.replace(QUOTED_OR_NAME, (match: string, _quote, name: string | undefined, at: number) => {
    if (name === undefined) return match;
    names.push({ name, line: text.slice(0, at).split('\n').length });
    return '';
  });
  return { names, rest };
}

function notSet(path: string, { name, line }: LoneName) {
  if (CERTAIN_NAME.test(name))
    return usageError(`${path} takes ${name} from the environment, where it is not set.`, `Set ${name}.`);
  return usageError(
    `${path}, line ${line} takes a value from the environment, where it is not set.`,
    'Set it; a value that spans several lines needs quotes around it.',
  );
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
  for (const lone of names) {
    const value = env[lone.name];
    if (value === undefined) throw notSet(path, lone);
    values[lone.name] = value;
  }
  for (const [name, value] of Object.entries(parseEnv(rest))) if (value !== undefined) values[name] = value;
  return values;
}
