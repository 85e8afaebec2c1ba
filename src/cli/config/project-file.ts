import { readFile } from 'node:fs/promises';
import type { YAMLParseError } from 'yaml';
import { isObject } from '../../contract/json.js';
import { usageError } from '../lib/errors.js';
import { parseJson } from '../lib/json.js';
import { textOf } from '../lib/text-decoding.js';
import { findUpwards, PROJECT_FILE_NAMES } from './paths.js';

/** The part of the project file that chooses the target. */
export interface ProjectTarget {
  path: string;
  profile: string | undefined;
  baseUrl: string | undefined;
}

/** The text of a project file as an object. @throws {CliError} when it is none. */
export async function parseProjectFile(path: string): Promise<Record<string, unknown>> {
  const what = `The project file ${path}`;
  const bytes = await readFile(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw usageError(`${what} cannot be read (${code}).`);
  });
  const text = textOf(bytes, what);
  const content = path.endsWith('.json') ? parseJson(text, what) : await parseYaml(text, what);
  if (!isObject(content)) throw usageError(`${what} must hold an object.`);
  return content;
}

/** Its own messages quote the text, which may be sensitive. */
async function parseYaml(text: string, what: string): Promise<unknown> {
  try {
    return (await import('yaml')).default.parse(text);
  } catch (error) {
    const { code = '', linePos: [start] = [] } = error as Partial<YAMLParseError>;
    const reason = code.toLowerCase().replaceAll('_', ' ');
    throw usageError(
      `${what} is not YAML${start ? ` (${reason} at line ${start.line}, column ${start.col})` : ''}.`,
    );
  }
}

function optionalString(content: Record<string, unknown>, name: string, path: string): string | undefined {
  const value = content[name];
  if (value === undefined || typeof value === 'string') return value;
  throw usageError(`\`${name}\` in ${path} must be a string.`);
}

/** What the project file of this directory or the nearest parent says about the target. */
export async function readProjectTarget(cwd: string): Promise<ProjectTarget | undefined> {
  const path = findUpwards(cwd, PROJECT_FILE_NAMES);
  if (!path) return undefined;
  const content = await parseProjectFile(path);
  return {
    path,
    profile: optionalString(content, 'profile', path),
    baseUrl: optionalString(content, 'base_url', path),
  };
}
