import { randomUUID } from 'node:crypto';
import { createReadStream, fstatSync, type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { Checkpoint, createState } from '../../bulk/checkpoint.js';
import { countRows } from '../../bulk/count-rows.js';
import { readCsv } from '../../bulk/csv.js';
import { readNdjson } from '../../bulk/ndjson.js';
import { type BulkFormat, RejectsFile } from '../../bulk/rejects.js';
import type { SourceRow } from '../../bulk/row.js';
import type { Context } from '../../command.js';
import type { FlagValues } from '../../flags/flag.js';
import type { IMPORT_FLAGS } from '../../flags/token-flags.js';
import { usageError } from '../../lib/errors.js';
import { describeFileError } from '../../lib/file-error.js';
import { checkpointPath, identifyPlace, withCheckpointLock } from './checkpoint-path.js';

export type ImportCommandOptions = FlagValues<typeof IMPORT_FLAGS> & { source: string };

/** The source of the rows. */
export interface Source {
  stream: Readable;
  /** Absolute; undefined for standard input, pipes and devices, which can be read only once. */
  path: string | undefined;
  /** Undefined for pipes and devices. */
  identity: { bytes: number; modified_ms: number } | undefined;
}

const openFile = (path: string) => createReadStream(path, { highWaterMark: 1 << 18 });

const identify = ({ size, mtimeMs }: Stats) => ({ bytes: size, modified_ms: Math.floor(mtimeMs) });

/** Opens the source of an import. @param signal ends reading */
export async function openSource(source: string, { settings, signal }: Context): Promise<Source> {
  if (source === '-') {
    const stats = fstatSync(process.stdin.fd);
    const identity = stats.isFile() ? identify(stats) : undefined;
    return { stream: addAbortSignal(signal, process.stdin), path: undefined, identity };
  }
  const path = resolve(settings.cwd, source);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${source} cannot be read: ${describeFileError(error.code)}.`);
  });
  if (found.isDirectory()) throw usageError(`${source} is a directory.`);
  const stream = addAbortSignal(signal, openFile(path));
  if (!found.isFile()) return { stream, path: undefined, identity: undefined };
  return { stream, path, identity: identify(found) };
}

/** Counts all rows of a source; undefined if it can be read only once. */
export async function countSourceRows(
  { path }: Source,
  format: BulkFormat,
  { signal }: Context,
): Promise<number | undefined> {
  return path === undefined ? undefined : countRows(addAbortSignal(signal, openFile(path)), format);
}

export function formatOf({ format, source }: { format?: string | undefined; source: string }): BulkFormat {
  if (format !== undefined) return format as BulkFormat;
  return source.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson';
}

/** Reads the rows of a source. @param type Token type of rows that have none. */
export function readRows(
  { stream }: Source,
  format: BulkFormat,
  type: string | undefined,
): AsyncIterable<SourceRow> {
  return format === 'csv' ? readCsv(stream, type) : readNdjson(stream);
}

export type ImportCheckpoint = Awaited<ReturnType<typeof Checkpoint.open<'import'>>>;

/**
 * Opens the checkpoint for this source, service and tenant for the time of an import, and prints a notice when an earlier
 * run has left one.
 * @throws {CliError} while another process imports the source
 */
export async function withCheckpoint(
  { checkpoint }: Pick<ImportCommandOptions, 'checkpoint'>,
  { path: sourcePath, identity }: Source,
  context: Context,
  use: (checkpoint: ImportCheckpoint) => Promise<void>,
): Promise<void> {
  const place = await identifyPlace(context);
  const path = checkpointPath(checkpoint, sourcePath, place, context);
  const fresh = { ...createState({ ...place, source: identity }), import_id: randomUUID() };
  await withCheckpointLock(path, `import with the checkpoint ${path}`, async () => {
    const opened = await Checkpoint.open('import', path, fresh);
    const { done, completed } = opened.state;
    // Whether the pipe has the same rows cannot be known, and rows that are not imported must not look imported.
    if (completed && identity === undefined)
      throw usageError(
        `The checkpoint ${path} belongs to an import from a pipe that is complete.`,
        'Delete it, or name another file with --checkpoint, to import what the pipe has now.',
      );
    if (opened.resumed)
      context.output.notice(
        completed
          ? `Already imported. To import it again, delete the checkpoint ${path}.`
          : `Resuming after row ${done}. To start over, delete the checkpoint ${path}.`,
      );
    await use(opened);
  });
}

/** Opens the file of `--rejects`. @throws {CliError} if it would overwrite another file of the import */
export async function openRejects(
  options: ImportCommandOptions,
  source: Source,
  { path: checkpoint, state }: ImportCheckpoint,
  { settings }: Context,
): Promise<RejectsFile | undefined> {
  if (options.rejects === undefined) return undefined;
  const path = resolve(settings.cwd, options.rejects);
  const real = await realpath(path).catch(() => path);
  if (source.path !== undefined && real === (await realpath(source.path)))
    throw usageError('--rejects must not be the source, which it would overwrite.');
  if (path === checkpoint) throw usageError('--rejects and --checkpoint must be different files.');
  return RejectsFile.open(path, formatOf(options), state.rejects_bytes);
}
