import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Context } from '../../command.js';
import { DATA_DIR_NAME } from '../../config/paths.js';
import { type AccessByName, type Leak, type LeakWatch, withEmulator } from '../../emulator/launch.js';
import type { Options } from '../../flags/flag.js';
import { formatAnnotation } from '../../lib/annotations.js';
import { CliError, EXIT_CODES, usageError } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';
import { failureText } from '../../output/failure.js';
import { hasJsonErrors } from '../../output/output.js';
import { loadStyle } from '../../output/style.js';
import {
  accessByName,
  applyAccess,
  type CommandOptions,
  runCommand,
  withTemporaryEmulator,
} from './temporary-emulator.js';

type ExecOptions = CommandOptions &
  Options<'access'> &
  Options<'failOnLeak', boolean> &
  Options<'watchDir' | 'dataHost' | 'ignore', string[]>;

export async function run(options: ExecOptions, context: Context): Promise<number> {
  const { access: file, failOnLeak = false, watchDir, dataHost, ignore } = options;
  if (!failOnLeak && (watchDir ?? dataHost ?? ignore))
    throw usageError('--watch-dir, --data-host and --ignore need --fail-on-leak.');
  const access = file === undefined ? undefined : await readAccess(file, context);
  if (!failOnLeak) return runWith(options, access, context);
  const leakWatch = await withEmulator(async ({ LeakWatch }) => new LeakWatch(dataHost, ignore));
  const { cwd, dataDirFlag } = context.settings;
  const directories = (watchDir ?? []).map((directory) => resolve(cwd, directory));
  const ignored = dataDirFlag === undefined ? [] : [resolve(cwd, dataDirFlag)];
  await requireDirectories(directories);
  const before = await listFiles(directories, ignored);
  const code = await runWith(options, access, context, leakWatch);
  await observeFiles(before, await listFiles(directories, ignored), cwd, leakWatch);
  const leaks = leakWatch.report();
  return leaks.length > 0 ? reportLeaks(leaks, code, context) : code;
}

function runWith(
  options: CommandOptions,
  access: AccessByName | undefined,
  context: Context,
  leakWatch?: LeakWatch,
): Promise<number> {
  const watched = leakWatch && {
    stdout: (chunk: Buffer) => leakWatch.observeStream('stdout', chunk),
    stderr: (chunk: Buffer) => leakWatch.observeStream('stderr', chunk),
  };
  const purpose = 'tokenctl emulator exec';
  const own = { purpose, ...(leakWatch && { leakWatch }), ...(access && { tenantAccess: access }) };
  return withTemporaryEmulator(options, own, context, async ({ emulator, env }) => {
    if (access) await applyAccess(access, emulator, context);
    return runCommand(options.command, env, context, watched);
  });
}

/** Prints the leaks for people, also into the log of a CI service. @throws {CliError} when the report is to be JSON */
async function reportLeaks(
  leaks: readonly Leak[],
  code: number,
  { output, settings }: Context,
): Promise<number> {
  const error = leakError(leaks, code);
  if (hasJsonErrors(settings.output, { isTTY: true })) throw error;
  output.failure(failureText(toFailure(error), await loadStyle(settings.output.color.stderr)));
  for (const leak of settings.output.inWorkflow ? leaks.slice(0, ANNOTATED_LEAKS) : [])
    output.annotate(formatAnnotation('Token data appeared', annotationOf(leak)));
  return EXIT_CODES.failed;
}

/** GitHub shows ten annotations of a step. */
const ANNOTATED_LEAKS = 10;

function annotationOf(leak: Leak) {
  const file = /^file ([^:]+)$/.exec(leak.place)?.[1];
  return {
    ...(file !== undefined && { file, line: leak.line }),
    message: `${placeOf(leak)}: ${describe(leak)}`,
  };
}

const placeOf = ({ place, line }: Leak): string => (line === undefined ? place : `${place}, line ${line}`);

/** `data.number of token card-1042, as plain text: charging XXXXXXXX` */
function describe({ path, token_id, tenant, form, excerpt }: Leak): string {
  const owner = tenant === undefined ? '' : ` of tenant "${tenant}"`;
  return `${path} of token ${token_id}${owner}, as ${form}: ${excerpt}`;
}

function leakError(leaks: readonly Leak[], code: number): CliError {
  const errors: Record<string, string[]> = {};
  for (const leak of leaks) {
    const place = placeOf(leak);
    errors[place] = [...(errors[place] ?? []), describe(leak)];
  }
  const count = leaks.length === 1 ? 'one leak' : `${leaks.length} leaks`;
  const ended = code === 0 ? '' : ` The command itself ended with exit code ${code}.`;
  return new CliError('failed', `Token data appeared outside of the service: ${count}.${ended}`, {
    errors,
    hint: 'tokenctl docs leaks says what is searched. Let reactors send data to a host with --data-host HOST, and accept a leak with --ignore.',
  });
}

async function readAccess(file: string, { settings }: Context): Promise<AccessByName> {
  // Goal S4: the schema of the manifest would be a tenth of the start of `emulator exec`.
  const { readManifest } = await import('../../manifest/manifest.js');
  const { content } = await readManifest(
    resolve(settings.cwd, file),
    settings.environment,
    `--access ${file}`,
  );
  const { applications = [] } = content;
  return accessByName(applications.filter(({ permissions, rules }) => permissions ?? rules));
}

/** The state of files, by absolute path. A file whose state differs has been written. */
type FileStates = ReadonlyMap<string, string>;

async function requireDirectories(directories: readonly string[]): Promise<void> {
  for (const directory of directories) {
    const found = await lstat(directory).catch(() => undefined);
    if (!found?.isDirectory()) throw usageError(`--watch-dir must be a directory, but ${directory} is not.`);
  }
}

/** Lists the files below directories, without following links, but for ignored directories. One that was removed has none. */
async function listFiles(directories: readonly string[], ignored: readonly string[]): Promise<FileStates> {
  const files = new Map<string, string>();
  for (const directory of directories) await addFiles(directory, ignored, files);
  return files;
}

async function addFiles(directory: string, ignored: readonly string[], files: Map<string, string>) {
  if (ignored.includes(directory)) return;
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(unlessRemoved)) {
    const path = join(directory, entry.name);
    // A data directory may belong to another emulator than that of the command.
    if (entry.isDirectory() && entry.name !== DATA_DIR_NAME) await addFiles(path, ignored, files);
    if (!entry.isFile()) continue;
    // A file may be removed while the directory is read.
    const found = await lstat(path, { bigint: true }).catch(() => undefined);
    if (found) files.set(path, `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`);
  }
}

function unlessRemoved(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
  throw error;
}

/** A larger file is read in parts, and not decompressed. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

async function observeFiles(
  before: FileStates,
  after: FileStates,
  cwd: string,
  watch: LeakWatch,
): Promise<void> {
  for (const [path, state] of after) {
    if (before.get(path) === state) continue;
    const name = relative(cwd, path);
    const place = `file ${name}`;
    watch.observe('the name of a file', name);
    const { size } = await lstat(path);
    if (size <= MAX_WHOLE_BYTES) watch.observeFile(place, await readFile(path));
    else for await (const part of createReadStream(path)) watch.observeStream(place, part as Buffer);
  }
}
