import { basename, dirname, resolve } from 'node:path';
import * as z from 'zod';
import { LIMITS } from '../../../contract/limits.js';
import { fieldErrors } from '../../../contract/validation.js';
import { findUpwards, PROJECT_FILE_NAMES } from '../../config/paths.js';
import { parseProjectFile } from '../../config/project-file.js';
import { CliError, usageError } from '../../lib/errors.js';

/** A reactor as the manifest or the command line describes it. */
export interface ReactorEntry {
  name: string;
  /** Absolute path. */
  code: string;
  /** undefined keeps the configuration that the service has. */
  configuration?: Record<string, string> | undefined;
  /** Absolute path. */
  envFile?: string | undefined;
  /** ID or exact name; null for none; undefined keeps the one that the service has. */
  application?: string | null | undefined;
  /** Modules to leave out of the bundle because the runtime has them in addition to the service's own. */
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

/** Derives the name of a reactor from its file, without the extension, for an entry without a name. */
export function defaultReactorName(path: string): string {
  return basename(path.replaceAll('\\', '/')).replace(/\.[^.]+$/, '');
}

/** Accepts backslashes, so that a manifest written on Windows works everywhere. */
const resolvePath = (directory: string, path: string): string =>
  resolve(directory, path.replaceAll('\\', '/'));

function toEntry(row: ReactorRow, directory: string): ReactorEntry {
  return {
    name: row.name ?? defaultReactorName(row.code),
    code: resolvePath(directory, row.code),
    configuration: row.configuration,
    envFile: row.env_file === undefined ? undefined : resolvePath(directory, row.env_file),
    application: row.application,
    external: row.external ?? [],
  };
}

/** @throws {CliError} if two reactors have the same name; the second would overwrite the first. */
export function assertUniqueNames(entries: readonly ReactorEntry[], where: string): void {
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw usageError(
    `${where} contains the reactor ${JSON.stringify(twice)} more than once.`,
    'Give each reactor a different name in the manifest.',
  );
}

/** Reads a manifest. @throws {CliError} if the file cannot be read or is not a valid manifest. */
export async function readManifest(path: string): Promise<Manifest> {
  const parsed = manifest.safeParse(await parseProjectFile(path));
  if (!parsed.success)
    throw new CliError('usage', `The manifest ${path} is not valid.`, { errors: fieldErrors(parsed.error) });
  const reactors = (parsed.data.reactors ?? []).map((row) => toEntry(row, dirname(path)));
  assertUniqueNames(reactors, path);
  return { path, reactors };
}

/** Reads the manifest of this directory or the nearest parent; undefined if there is none. */
export async function findManifest(cwd: string): Promise<Manifest | undefined> {
  const path = findUpwards(cwd, PROJECT_FILE_NAMES);
  return path === undefined ? undefined : readManifest(path);
}
