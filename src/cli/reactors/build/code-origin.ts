import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CodeOrigin } from '../../emulator/launch.js';
import type { Bundle } from './bundle.js';
import { findProjectBundle } from './project-bundle.js';

/** Describes to a debugger where built code comes from. */
export async function describeOrigin(file: string, map: Bundle['map']): Promise<CodeOrigin> {
  const { href } = pathToFileURL(file);
  if (!map) return { url: href };
  const parsed = JSON.parse(map.json) as { sources: string[] };
  const paths = parsed.sources.map((source) => resolve(map.directory, source));
  const sources = paths.map((path) => pathToFileURL(path).href);
  // Some debuggers read no files. What the bundler made up has none.
  const sourcesContent = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => null)));
  return { url: `${href}.bundle.js`, sourceMap: JSON.stringify({ ...parsed, sources, sourcesContent }) };
}

/** Finds where code comes from that a service has; undefined if it is not that of a file of the project. Never rejects. */
export async function findOrigin(code: string, cwd: string): Promise<CodeOrigin | undefined> {
  const found = await findProjectBundle(code, cwd).catch(() => undefined);
  return found && describeOrigin(found.file, found.bundle.map);
}
