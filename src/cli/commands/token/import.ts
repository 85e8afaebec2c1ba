import { createReadStream, fstatSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { inBackground } from '../../../client/client.js';
import { BulkJob } from '../../bulk/bulk-job.js';
import { Checkpoint, identifyFile } from '../../bulk/checkpoint.js';
import { readCsv } from '../../bulk/csv.js';
import { toImportRow } from '../../bulk/import-rows.js';
import { NOT_JSON, readNdjson } from '../../bulk/ndjson.js';
import { type BulkFormat, formatOf, RejectsFile } from '../../bulk/rejects.js';
import type { ImportRow, Reject, SourceRow } from '../../bulk/row.js';
import { Uploader } from '../../bulk/uploader.js';
import type { Context } from '../../command.js';
import type { FlagValues } from '../../flags/flag.js';
import type { IMPORT_FLAGS } from '../../flags/token-flags.js';
import { CliError, usageError } from '../../lib/errors.js';
import { unlessStatus } from '../../lib/key-owner.js';
import { decodeTextStream, unreadableError } from '../../lib/text-file.js';
import { bulkClient, createRejectReporter, showJobProgress, withCheckpointPath } from './bulk.js';

type ImportOptions = FlagValues<typeof IMPORT_FLAGS> & { source: string };

const DEFAULT_BATCH = 100;
const DEFAULT_CONCURRENCY = 8;
const ROW = '{"type":"token","data":"anything"}';
/** Stored tokens that are looked up when an import is run again: one may have been deleted since. */
const MAX_WITNESSES = 20;

async function* importRows(
  { stream, found }: Source,
  { source, format, type }: ImportOptions,
  jobId: string,
): AsyncGenerator<ImportRow | Reject, void, void> {
  for await (const row of readRows(stream, formatOf(format, source), type)) {
    found.isJson ||= row.problem !== NOT_JSON;
    yield toImportRow(row, jobId, type);
  }
}

async function openRejects(
  { rejects, format, source: name }: ImportOptions,
  source: Source,
  { path: checkpoint, state }: Checkpoint,
  { settings }: Context,
): Promise<RejectsFile | undefined> {
  if (rejects === undefined) return undefined;
  const path = resolve(settings.cwd, rejects);
  const real = await realpath(path).catch(() => path);
  if (source.path !== undefined && real === (await realpath(source.path)))
    throw usageError('--rejects must not be the source, which it would overwrite.');
  if (path === checkpoint) throw usageError('--rejects and --checkpoint must be different files.');
  return RejectsFile.open(path, formatOf(format, name), state.rejects_bytes);
}

async function runJob(
  options: ImportOptions,
  source: Source,
  checkpoint: Checkpoint,
  onProgress: (rows: number) => void,
  context: Context,
): Promise<void> {
  const { signal } = context;
  const { state } = checkpoint;
  const rejectsFile = await openRejects(options, source, checkpoint, context);
  const uploader = new Uploader({
    createClient: (hooks) => bulkClient(context, hooks),
    jobId: state.repeat_id ?? state.job_id,
    onStored: (ids) => {
      state.stored = ids.slice(0, MAX_WITNESSES);
    },
  });
  const report = createRejectReporter(
    context,
    ({ number }) => `row ${number}`,
    'More rows are rejected; --rejects FILE collects them all.',
  );
  try {
    await new BulkJob({
      rows: importRows(source, options, state.job_id),
      batch: options.batch ?? DEFAULT_BATCH,
      concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
      signal,
      checkpoint,
      process: (rows, maybeSent) => uploader.upload(rows, maybeSent),
      reject: async (rejects) => {
        await (rejectsFile ? rejectsFile.append(rejects) : report(rejects));
        return rejectsFile?.bytes ?? 0;
      },
      onProgress,
    }).run();
  } finally {
    await rejectsFile?.close();
  }
}

export async function run(options: ImportOptions, context: Context): Promise<void> {
  const source = await openSource(options.source, context);
  const { path: base, identity } = source;
  await withCheckpointPath({ checkpoint: options.checkpoint, base }, context, async (path, place) => {
    const checkpoint = await Checkpoint.open(path, { ...place, source: identity });
    await continueEarlierRun(checkpoint, identity !== undefined, context);
    await importSource(options, source, checkpoint, context);
  });
}

/** Whether the service lost what an earlier run stored, as an emulator without a data directory does at a restart. */
async function isLost({ stored }: Checkpoint['state'], { client }: Context): Promise<boolean> {
  if (!stored) return false;
  const query = { id: stored, size: 1 };
  const found = await unlessStatus([403], inBackground(client).call('tokens.list', { query }));
  return found?.pagination.total_items === 0;
}

/** @throws {CliError} when the checkpoint is that of a pipe that was imported completely */
async function continueEarlierRun(checkpoint: Checkpoint, isFile: boolean, context: Context): Promise<void> {
  const { path, resumed, state } = checkpoint;
  const { output } = context;
  if (await isLost(state, context)) {
    output.notice('The service no longer has what was imported. Importing again from row 1.');
    return checkpoint.restart();
  }
  const { done, completed } = state;
  // Whether the pipe has the same rows cannot be known, and rows that are not imported must not look imported.
  if (completed && !isFile)
    throw usageError(
      `The checkpoint ${path} belongs to an import from a pipe that is complete.`,
      'Delete it, or name another file with --checkpoint, to import what the pipe has now.',
    );
  if (resumed)
    output.notice(
      completed
        ? `Already imported. To import it again, delete the checkpoint ${path}.`
        : `Resuming after row ${done}. To start over, delete the checkpoint ${path}.`,
    );
}

async function importSource(
  options: ImportOptions,
  source: Source,
  checkpoint: Checkpoint,
  context: Context,
): Promise<void> {
  const { output, settings } = context;
  const start = performance.now();
  const { state } = checkpoint;
  const before = state.done;
  if (!state.completed) {
    // Before the progress bar, since it may ask.
    await (await context.client.connection()).beforeWrite?.();
    const total = await countSourceRows(source, formatOf(options.format, options.source), context);
    await showJobProgress(checkpoint, total, context, (onProgress) =>
      runJob(options, source, checkpoint, onProgress, context),
    );
    state.completed = true;
    await checkpoint.save();
  }
  const isReport = settings.output.mode !== 'table';
  const seconds = (performance.now() - start) / 1000;
  await output.plain({
    ...(isReport && { version: 1 }),
    rows: state.done,
    imported: state.done - state.rejected,
    rejected: state.rejected,
    ...(before > 0 && { resumed_after: before }),
    ...(isReport && { duration_ms: Math.round(seconds * 1000) }),
    rows_per_second: Math.round((state.done - before) / seconds),
  });
  // Of an import that was completed before, no row was read.
  const isAlien = state.done > before && !source.found.isJson;
  if (state.rejected > 0)
    throw new CliError('failed', `${state.rejected} of ${state.done} rows were rejected.`, {
      hint: isAlien
        ? `No row is JSON. A row is one token: ${ROW}. For CSV: --format csv.`
        : options.rejects === undefined
          ? 'Collect them with their reasons: --rejects FILE.'
          : `Correct them in ${options.rejects}, then import that file.`,
    });
}

type Source = Awaited<ReturnType<typeof openSource>>;

const openFile = (path: string) => createReadStream(path, { highWaterMark: 1 << 18 });

/** Opens the source of an import. It has no path if it can be read only once. `found` tells whether a row was JSON. */
async function openSource(source: string, { settings, signal }: Context) {
  const found = { isJson: false };
  if (source === '-') {
    const stats = fstatSync(process.stdin.fd);
    const identity = stats.isFile() ? identifyFile(stats) : undefined;
    return { stream: addAbortSignal(signal, process.stdin), path: undefined, identity, found };
  }
  const path = resolve(settings.cwd, source);
  const stats = await stat(path).catch(async ({ code }: NodeJS.ErrnoException) => {
    throw await unreadableError(path, source, code);
  });
  if (stats.isDirectory()) throw usageError(`${source} is a directory.`);
  const stream = addAbortSignal(signal, openFile(path));
  if (!stats.isFile()) return { stream, path: undefined, identity: undefined, found };
  return { stream, path, identity: identifyFile(stats), found };
}

function readRows(stream: Readable, format: BulkFormat, type: string | undefined): AsyncIterable<SourceRow> {
  return format === 'csv' ? readCsv(stream, type) : readNdjson(stream);
}

const CSV_PARTS = /"|[\r\n]+|[^"\r\n]+/g;
const NDJSON_PARTS = /\n|[^\n]+/g;

/** Counts rows by the line ends outside of quotes; about as many as the reader reads if quotes are misplaced. */
async function countSourceRows(
  { path }: Source,
  format: BulkFormat,
  { signal }: Context,
): Promise<number | undefined> {
  if (path === undefined) return undefined;
  const isCsv = format === 'csv';
  let rows = isCsv ? -1 : 0;
  let isQuoted = false;
  let isEmpty = true;
  const endRow = () => {
    if (!isEmpty) rows++;
    isEmpty = true;
  };
  for await (const text of decodeTextStream(addAbortSignal(signal, openFile(path)), 'The source'))
    for (const [part] of text.matchAll(isCsv ? CSV_PARTS : NDJSON_PARTS)) {
      if (isCsv && part === '"') isQuoted = !isQuoted;
      if (!isQuoted && /^[\r\n]/.test(part)) endRow();
      else if (isCsv || part.trim() !== '') isEmpty = false;
    }
  endRow();
  return Math.max(0, rows);
}
