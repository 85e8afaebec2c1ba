import { parseEnv } from 'node:util';
import { type CliError, usageError } from './errors.js';
import { readTextFile } from './text-file.js';

const BLANK_LINE = /[ \t]*(?:#.*)?(?:\n|$)/y;

/** `NAME=value`, whose quoted value may span lines and must be closed, or `NAME` alone; `export` before it is ignored. */
const ENTRY =
  /[ \t]*(?:export[ \t]+)?(?<name>[A-Za-z_][\w.-]*)[ \t]*(?:(?<assignment>=[ \t]*(?:(["'`])[\s\S]*?\3.*|(?![ \t]*["'`]).*))|(?:#.*)?)(?:\n|$)/y;

/** Any other name may be a line of an unquoted secret that spans several lines, and is not repeated in errors. */
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

/** Parses lines of `NAME=value`, and of `NAME` alone, so that a committed file can name secrets of a pipeline. Errors repeat no value. */
export function parseEnvFile(content: string, path: string, env: NodeJS.ProcessEnv): Record<string, string> {
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

export async function readEnvFile(
  path: string,
  what: string,
  env: NodeJS.ProcessEnv,
): Promise<Record<string, string>> {
  return parseEnvFile(await readTextFile(path, `${what} ${path}`), path, env);
}
