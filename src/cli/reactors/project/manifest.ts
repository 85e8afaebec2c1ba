import { basename, dirname, resolve } from 'node:path';
import * as z from 'zod';
import { LIMITS } from '../../../contract/limits.js';
import { fieldErrors } from '../../../contract/validation.js';
import { findUpwards, PROJECT_FILE_NAMES } from '../../config/paths.js';
import { parseProjectFile } from '../../config/project-file.js';
import { CliError, usageError } from '../../lib/errors.js';

/** One reactor as the manifest or the command line names it. */
export interface ReactorEntry {
  name: string;
  /** Absolute path of the file with its code. */
  code: string;
  /** undefined: whatever the service has is kept. */
  configuration?: Record<string, string> | undefined;
  /** Absolute path. */
  envFile?: string | undefined;
  /** Id or exact name; null: none; undefined: whatever the service has is kept. */
  application?: string | null | undefined;
  /** Modules that the runtime has beyond the service's own, left out of the bundle. */
  external: readonly string[];
}

export interface Manifest {
  /** Absolute path. */
  path: string;
  reactors: ReactorEntry[];
}

const text = z.string().min(1);

const reactor = z.strictObject({
  name: text.max(LIMITS.nameCharacters).optional(),
  code: text,
  configuration: z
    .record(z.string(), z.string('must be a string; put numbers and true or false in quotes'))
    .optional(),
  env_file: text.optional(),
  application: text.nullable().optional(),
  external: z.array(text).optional(),
});

const manifest = z.strictObject({
  $schema: z.string().optional(),
  profile: text.optional(),
  base_url: text.optional(),
  reactors: z.array(reactor).optional(),
});

type ReactorRow = z.infer<typeof reactor>;

/** The name of a reactor whose manifest gives none: the file's without its ending. */
export function nameOfFile(path: string): string {
  return basename(path.replaceAll('\\', '/')).replace(/\.[^.]+$/, '');
}

/** A manifest that was written on Windows works everywhere. */
const pathIn = (directory: string, path: string): string => resolve(directory, path.replaceAll('\\', '/'));

function toEntry(row: ReactorRow, directory: string): ReactorEntry {
  return {
    name: row.name ?? nameOfFile(row.code),
    code: pathIn(directory, row.code),
    configuration: row.configuration,
    envFile: row.env_file === undefined ? undefined : pathIn(directory, row.env_file),
    application: row.application,
    external: row.external ?? [],
  };
}

/** @throws {CliError} when two reactors have one name: the second would overwrite the first. */
export function refuseSameNames(entries: readonly ReactorEntry[], where: string): void {
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw usageError(
    `${where} names the reactor ${JSON.stringify(twice)} more than once.`,
    'Give each its own name in the manifest.',
  );
}

/** @throws {CliError} when the file cannot be read or says what no manifest can say. */
export async function readManifest(path: string): Promise<Manifest> {
  const parsed = manifest.safeParse(await parseProjectFile(path));
  if (!parsed.success)
    throw new CliError('usage', `The manifest ${path} is not valid.`, { errors: fieldErrors(parsed.error) });
  const reactors = (parsed.data.reactors ?? []).map((row) => toEntry(row, dirname(path)));
  refuseSameNames(reactors, path);
  return { path, reactors };
}

/** The manifest of this directory or the nearest parent. */
export async function findManifest(cwd: string): Promise<Manifest | undefined> {
  const path = findUpwards(cwd, PROJECT_FILE_NAMES);
  return path === undefined ? undefined : readManifest(path);
}
