import { readDocument } from '../lib/document.js';
import { usageError } from '../lib/errors.js';
import { findUpwards, PROJECT_FILE_NAMES } from './paths.js';

/** The properties of the project file that select the target. */
export interface ProjectTarget {
  path: string;
  profile: string | undefined;
  baseUrl: string | undefined;
}

/** Reads a project file, JSON or YAML. @throws {CliError} when it is not valid */
export function parseProjectFile(path: string): Promise<Record<string, unknown>> {
  return readDocument(path, `The project file ${path}`);
}

function optionalString(content: Record<string, unknown>, name: string, path: string): string | undefined {
  const value = content[name];
  if (value === undefined || typeof value === 'string') return value;
  throw usageError(`\`${name}\` in ${path} must be a string.`);
}

/** Reads the target from the project file of a directory or its nearest parent; undefined when there is none. */
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
