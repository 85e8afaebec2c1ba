import { parseEnv } from 'node:util';
import { type CliError, usageError } from './errors.js';
import { readTextFile } from './text-file.js';

type Environment = Readonly<Record<string, string | undefined>>;

const BLANK_LINE = /[ \t]*(?:#.*)?(?:\n|$)/y;

/** `NAME=value`, whose quoted value may span lines and must be closed, or `NAME` alone; `export` before it is ignored. */
const ENTRY =
  /[ \t]*(?:export[ \t]+)?(?<name>[A-Za-z_][\w.-]*)[ \t]*(?:(?<assignment>=[ \t]*(?:(["'`])[\s\S]*?\3.*|(?![ \t]*["'`]).*))|(?:#.*)?)(?:\n|$)/y;

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

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

/**
 * Parses an env file: lines of `NAME=value` as Node.js and dotenv read them, and of `NAME` alone, which takes its value
 * from the environment. A committed file can so name the secrets that a pipeline supplies.
 * @param path names the file in errors
 * @throws {CliError} when a line is malformed or names a variable that is not set; the message repeats no value
 */
export function parseEnvFile(content: string, path: string, env: Environment): Record<string, string> {
  const text = content.replace(/\r\n?/g, '\n');
  const values: Record<string, string> = {};
  for (let position = 0; position < text.length; ) {
    const match = matchAt(BLANK_LINE, text, position) ?? matchAt(ENTRY, text, position);
    if (!match) throw malformedError(path, lineAt(text, position));
    const { name, assignment } = match.groups ?? {};
    if (name !== undefined && assignment !== undefined) {
      const value = parseEnv(name + assignment)[name];
      if (value === undefined) throw malformedError(path, lineAt(text, position));
      values[name] = value;
    } else if (name !== undefined) {
      const value = env[name];
      if (value === undefined) throw notSetError(path, lineAt(text, position), name);
      values[name] = value;
    }
    position += match[0].length;
  }
  return values;
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
