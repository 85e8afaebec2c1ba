import { parseEnv } from 'node:util';
import { type CliError, usageError } from './errors.js';
import { readTextFile } from './text-file.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** An entry with a quoted value, which may span lines, to the end of its last line. */
const QUOTED = /^([ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=)[ \t]*(["'`])[\s\S]*?\2.*/gm;

/** A line without quoted values: nothing, `NAME=value`, or `NAME` alone; `export` before it is ignored. */
const ENTRY =
  /^[ \t]*(?:export[ \t]+)?(?:(?<name>[A-Za-z_][\w.-]*)[ \t]*(?<assignment>=(?![ \t]*["'`]).*)?)?(?:#.*)?$/;

/**
 * A name that cannot be part of a value. A line of an unquoted value that spans several lines looks like any other name
 * and is not repeated in errors, because it may be part of a secret.
 */
const UNAMBIGUOUS_NAME = /^[A-Z]+(?:_[A-Z0-9]+)*$/;

const QUOTES_HINT = 'A value that spans several lines needs quotes around it.';

function malformedError(path: string, line: number): CliError {
  return usageError(`${path}, line ${line} is not NAME=value.`, QUOTES_HINT);
}

function notSetError(path: string, line: number, name: string): CliError {
  if (UNAMBIGUOUS_NAME.test(name))
    return usageError(`${path} takes ${name} from the environment, where it is not set.`, `Set ${name}.`);
  return usageError(
    `${path}, line ${line} takes a value from the environment, where it is not set.`,
    QUOTES_HINT,
  );
}

/**
 * Parses an env file: lines of `NAME=value` as Node.js and dotenv read them, and of `NAME` alone, which takes its value
 * from the environment. A committed file can so name the secrets that a pipeline supplies.
 * @param path names the file in errors
 * @throws {CliError} when a line is malformed or names a variable that is not set; the message repeats no value
 */
export function parseEnvFile(content: string, path: string, env: Environment): Record<string, string> {
  const text = content.replace(/\r\n?/g, '\n');
  const entries = text.replace(QUOTED, (entry, start) => start + entry.replace(/[^\n]/g, '')).split('\n');
  const named: Record<string, string> = {};
  const assignments = text.split('\n').filter((_, index) => {
    const match = ENTRY.exec(entries[index] ?? '');
    if (!match) throw malformedError(path, index + 1);
    const { name, assignment } = match.groups ?? {};
    if (name === undefined || assignment !== undefined) return true;
    const value = env[name];
    if (value === undefined) throw notSetError(path, index + 1, name);
    named[name] = value;
    return false;
  });
  return { ...(parseEnv(assignments.join('\n')) as Record<string, string>), ...named };
}

/**
 * Reads an env file.
 * @param what names the source in errors, without the path: `--env-file`
 * @throws {CliError} when it cannot be read, or as `parseEnvFile` does
 */
export async function readEnvFile(
  path: string,
  what: string,
  env: Environment,
): Promise<Record<string, string>> {
  return parseEnvFile(await readTextFile(path, `${what} ${path}`), path, env);
}
