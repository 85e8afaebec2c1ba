import { parseEnv } from 'node:util';
import { type CliError, usageError } from './errors.js';
import { readTextFile } from './text-file.js';

/**
 * An empty line; or `NAME=value`, whose quoted value may span lines and must be closed, or `NAME` alone. `export` before it is ignored.
 * Each line begins where the one before it ends.
 */
const LINE =
  /[ \t]*(?:#.*)?(?:\n|$)|[ \t]*(?:export[ \t]+)?(?<name>[A-Za-z_][\w.-]*)[ \t]*(?:(?<assignment>=[ \t]*(?:(["'`])[\s\S]*?\3.*|(?![ \t]*["'`]).*))|(?:#.*)?)(?:\n|$)/gy;

/** Any other name may be a line of an unquoted secret that spans several lines, and is not repeated in errors. */
const UNAMBIGUOUS_NAME = /^[A-Z]+(?:_[A-Z0-9]+)*$/;

const QUOTES_HINT = 'A value that spans several lines needs quotes around it.';

const malformedError = (path: string, line: number): CliError =>
  usageError(`${path}, line ${line} is not NAME=value.`, QUOTES_HINT);

function notSetError(path: string, line: number, name: string): CliError {
  if (UNAMBIGUOUS_NAME.test(name))
    return usageError(`${path} takes ${name} from the environment, where it is not set.`, `Set ${name}.`);
  return usageError(
    `${path}, line ${line} takes a value from the environment, where it is not set.`,
    QUOTES_HINT,
  );
}

/** Parses lines of `NAME=value`, and of `NAME` alone, so that a committed file can name secrets of a pipeline. Errors repeat no value. */
export function parseEnvFile(content: string, path: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const text = content.replace(/\r\n?/g, '\n');
  const values: Record<string, string> = {};
  let line = 1;
  let end = 0;
  for (const { 0: entry, index, groups: { name, assignment } = {} } of text.matchAll(LINE)) {
    end = index + entry.length;
    if (name !== undefined) {
      const value = assignment === undefined ? env[name] : parseEnv(name + assignment)[name];
      if (value === undefined && assignment === undefined) throw notSetError(path, line, name);
      if (value === undefined) throw malformedError(path, line);
      values[name] = value;
    }
    line += entry.split('\n').length - 1;
  }
  if (end < text.length) throw malformedError(path, line);
  return values;
}

export async function readEnvFile(path: string, what: string, env: NodeJS.ProcessEnv) {
  return parseEnvFile(await readTextFile(path, `${what} ${path}`), path, env);
}
