import { createHash } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { Checkpoint, newState } from '../../bulk/checkpoint.js';
import { csvRows } from '../../bulk/csv.js';
import { Importer } from '../../bulk/importer.js';
import { Ledger } from '../../bulk/ledger.js';
import { ndjsonRows } from '../../bulk/ndjson.js';
import { Pace } from '../../bulk/pace.js';
import { createProgress, type Progress } from '../../bulk/progress.js';
import { type BulkFormat, RejectsFile } from '../../bulk/rejects.js';
import type { Reject } from '../../bulk/row.js';
import { Sender } from '../../bulk/sender.js';
import { createClient } from '../../client/client.js';
import { ServiceError } from '../../client/errors.js';
import type { Context } from '../../context.js';
import { CliError, usageError } from '../../failure.js';

export interface ImportCommandOptions {
  source: string;
  format?: string | undefined;
  type?: string | undefined;
  checkpoint?: string | undefined;
  rejects?: string | undefined;
  batch?: number | undefined;
  concurrency?: number | undefined;
}

interface Source {
  stream: Readable;
  /** Absolute; undefined for standard input. */
  path: string | undefined;
  bytes: number | undefined;
  identity: { bytes: number; modified_ms: number } | undefined;
}

const DEFAULT_BATCH = 100;
const MAX_BATCH = 1_000;
const DEFAULT_CONCURRENCY = 8;
const MAX_CONCURRENCY = 64;
/** Of the rows that were refused, this many are told on stderr when no file takes them. */
const SHOWN_REJECTS = 10;

function within(value: number, maximum: number, flag: string): number {
  if (value >= 1 && value <= maximum) return value;
  throw usageError(`${flag} must be from 1 to ${maximum}.`);
}

async function openSource(source: string, { settings }: Context): Promise<Source> {
  if (source === '-')
    return { stream: process.stdin, path: undefined, bytes: undefined, identity: undefined };
  const path = resolve(settings.cwd, source);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${source} cannot be read: ${error.code}.`);
  });
  if (found.isDirectory()) throw usageError(`${source} is a directory.`);
  const stream = createReadStream(path, { highWaterMark: 1 << 18 });
  const { size, mtimeMs } = found;
  // A pipe or device has no end that could be known.
  if (!found.isFile()) return { stream, path: undefined, bytes: undefined, identity: undefined };
  return { stream, path, bytes: size, identity: { bytes: size, modified_ms: Math.floor(mtimeMs) } };
}

function formatOf({ format, source }: ImportCommandOptions): BulkFormat {
  if (format !== undefined) return format as BulkFormat;
  return source.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson';
}

/** The tenant that the rows go to; undefined when the service does not tell (an extension of the emulator's). */
async function tenantOf({ client }: Context): Promise<string | undefined> {
  try {
    return (await client.call('applications.key', {})).tenant_id;
  } catch (error) {
    if (error instanceof ServiceError && error.status !== 401) return undefined;
    throw error;
  }
}

/** Beside the file, one for each service and tenant that it is imported into. */
function defaultCheckpoint(path: string, target: string, tenant: string | undefined): string {
  const where = createHash('sha256')
    .update(`${target} ${tenant ?? ''}`)
    .digest('hex')
    .slice(0, 8);
  return `${path}.${where}.checkpoint`;
}

async function openCheckpoint(
  { checkpoint }: ImportCommandOptions,
  source: Source,
  context: Context,
): Promise<Checkpoint> {
  const { client, settings, output } = context;
  const target = (await client.connection()).transport.url;
  const tenant = await tenantOf(context);
  const path =
    checkpoint === undefined
      ? source.path && defaultCheckpoint(source.path, target, tenant)
      : resolve(settings.cwd, checkpoint);
  const opened = await Checkpoint.open(path, newState({ target, tenant, source: source.identity }));
  const { done, completed } = opened.state;
  if (opened.resumed)
    output.notice(
      completed
        ? `Imported already; delete the checkpoint ${path} to import it again.`
        : `Going on after row ${done}; delete the checkpoint ${path} to start over.`,
    );
  return opened;
}

/** Its own client: the import itself decides what to repeat, and when. */
function importClient({ client, output, settings, signal }: Context) {
  return createClient({
    connect: () => client.connection(),
    timeoutMs: settings.timeoutMs,
    retries: 0,
    signal,
    onAttempt: ({ method, url, status, durationMs }) =>
      output.debug(`${method} ${url} ${status} ${durationMs.toFixed(0)} ms`),
  });
}

/** Tells the first few, when no file takes them. */
function rejectTeller({ rejects }: ImportCommandOptions, { output }: Context): (reject: Reject) => void {
  let told = 0;
  return ({ number, reason }) => {
    told++;
    if (rejects !== undefined || told > SHOWN_REJECTS + 1) return;
    output.warn(
      told > SHOWN_REJECTS
        ? 'More rows are rejected; --rejects FILE collects them all.'
        : `row ${number}: ${reason}`,
    );
  };
}

async function importRows(
  options: ImportCommandOptions,
  source: Source,
  checkpoint: Checkpoint,
  progress: Progress,
  context: Context,
): Promise<void> {
  const { settings, signal } = context;
  const format = formatOf(options);
  const stream = addAbortSignal(signal, source.stream);
  const { state } = checkpoint;
  const rejectsFile =
    options.rejects === undefined
      ? undefined
      : await RejectsFile.open(resolve(settings.cwd, options.rejects), format, state.rejects_bytes);
  const pace = new Pace(
    within(options.concurrency ?? DEFAULT_CONCURRENCY, MAX_CONCURRENCY, '--concurrency'),
    signal,
  );
  try {
    await new Importer({
      rows: format === 'csv' ? csvRows(stream, options.type) : ndjsonRows(stream),
      type: options.type,
      batch: within(options.batch ?? DEFAULT_BATCH, MAX_BATCH, '--batch'),
      pace,
      signal,
      checkpoint,
      sender: new Sender({ client: importClient(context), pace, signal, importId: state.import_id }),
      ledger: new Ledger(checkpoint, rejectsFile, rejectTeller(options, context)),
      onProgress: (rows) => {
        progress.advance(rows);
        progress.read((stream as Partial<ReadStream>).bytesRead ?? 0);
      },
    }).run();
  } finally {
    await rejectsFile?.close();
  }
}

export async function run(options: ImportCommandOptions, context: Context): Promise<void> {
  const { output, settings } = context;
  const start = performance.now();
  const source = await openSource(options.source, context);
  const checkpoint = await openCheckpoint(options, source, context);
  const { state } = checkpoint;
  const before = state.done;
  if (!state.completed) {
    const progress = await createProgress(output, source.bytes);
    try {
      await importRows(options, source, checkpoint, progress, context);
    } catch (error) {
      if (checkpoint.path !== undefined)
        output.notice(`Stopped after row ${state.done}; the same command goes on from there.`);
      throw error;
    } finally {
      progress.stop();
    }
    state.completed = true;
    await checkpoint.save();
  }
  const seconds = (performance.now() - start) / 1000;
  await output.result(
    {
      rows: state.done,
      imported: state.imported,
      rejected: state.rejected,
      ...(before > 0 && { resumed_after: before }),
      ...(settings.output.mode !== 'table' && { duration_ms: Math.round(seconds * 1000) }),
      rows_per_second: Math.round((state.done - before) / seconds),
    },
    { holds: 'plain' },
  );
  if (state.rejected > 0)
    throw new CliError('failed', `${state.rejected} of ${state.done} rows were rejected.`, {
      hint:
        options.rejects === undefined
          ? 'Collect them with their reasons: --rejects FILE.'
          : `Correct them in ${options.rejects}, then import that file.`,
    });
}
