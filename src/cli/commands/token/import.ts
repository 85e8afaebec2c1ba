import { AdaptiveLimiter } from '../../bulk/adaptive-limiter.js';
import { BulkJob, InOrderCommitter } from '../../bulk/bulk-job.js';
import { toImportRow } from '../../bulk/import-rows.js';
import type { ImportRow, Reject } from '../../bulk/row.js';
import { Uploader } from '../../bulk/uploader.js';
import type { Context } from '../../command.js';
import { CliError, usageError } from '../../lib/errors.js';
import { bulkClient } from './bulk-client.js';
import {
  countSourceRows,
  formatOf,
  type ImportCheckpoint,
  type ImportCommandOptions,
  openRejects,
  openSource,
  readRows,
  type Source,
  withCheckpoint,
} from './import-source.js';
import { createRejectReporter, showJobProgress } from './job-progress.js';

const DEFAULT_BATCH = 100;
const MAX_BATCH = 1_000;
const DEFAULT_CONCURRENCY = 8;
const MAX_CONCURRENCY = 64;
function within(value: number, maximum: number, flag: string): number {
  if (value >= 1 && value <= maximum) return value;
  throw usageError(`${flag} must be from 1 to ${maximum}.`);
}

async function* importRows(
  source: Source,
  options: ImportCommandOptions,
  importId: string,
): AsyncGenerator<ImportRow | Reject, void, void> {
  for await (const row of readRows(source, formatOf(options), options.type))
    yield toImportRow(row, importId, options.type);
}

async function runJob(
  options: ImportCommandOptions,
  source: Source,
  checkpoint: ImportCheckpoint,
  onProgress: (rows: number) => void,
  context: Context,
): Promise<void> {
  const { signal } = context;
  const { state } = checkpoint;
  const rejectsFile = await openRejects(options, source, checkpoint, context);
  const limiter = new AdaptiveLimiter(
    within(options.concurrency ?? DEFAULT_CONCURRENCY, MAX_CONCURRENCY, '--concurrency'),
    signal,
  );
  const uploader = new Uploader({
    createClient: (hooks) => bulkClient(hooks, context),
    limiter,
    importId: state.import_id,
  });
  const reportReject = createRejectReporter<Reject>(
    context,
    ({ number }) => `row ${number}`,
    'More rows are rejected; --rejects FILE collects them all.',
  );
  try {
    await new BulkJob({
      rows: importRows(source, options, state.import_id),
      batch: within(options.batch ?? DEFAULT_BATCH, MAX_BATCH, '--batch'),
      limiter,
      signal,
      checkpoint,
      process: (rows, maybeSent) => uploader.upload(rows, maybeSent),
      committer: new InOrderCommitter(checkpoint, rejectsFile, rejectsFile ? () => {} : reportReject),
      onProgress,
    }).run();
  } finally {
    await rejectsFile?.close();
  }
}

/** Bumped when the JSON report changes incompatibly. */
const REPORT_VERSION = 1;

export async function run(options: ImportCommandOptions, context: Context): Promise<void> {
  const source = await openSource(options.source, context);
  await withCheckpoint(options, source, context, (checkpoint) =>
    importSource(options, source, checkpoint, context),
  );
}

async function importSource(
  options: ImportCommandOptions,
  source: Source,
  checkpoint: ImportCheckpoint,
  context: Context,
): Promise<void> {
  const { output, settings } = context;
  const start = performance.now();
  const { state } = checkpoint;
  const before = state.done;
  if (!state.completed) {
    // Before the progress bar, since it may ask.
    await (await context.client.connection()).beforeWrite?.();
    const total = await countSourceRows(source, formatOf(options), context);
    await showJobProgress(checkpoint, { unit: 'row', total }, context, (onProgress) =>
      runJob(options, source, checkpoint, onProgress, context),
    );
    state.completed = true;
    await checkpoint.save();
  }
  const isReport = settings.output.mode !== 'table';
  const seconds = (performance.now() - start) / 1000;
  await output.result(
    {
      ...(isReport && { version: REPORT_VERSION }),
      rows: state.done,
      imported: state.done - state.rejected,
      rejected: state.rejected,
      ...(before > 0 && { resumed_after: before }),
      ...(isReport && { duration_ms: Math.round(seconds * 1000) }),
      rows_per_second: Math.round((state.done - before) / seconds),
    },
    { redaction: 'plain' },
  );
  if (state.rejected > 0)
    throw new CliError('failed', `${state.rejected} of ${state.done} rows were rejected.`, {
      hint:
        options.rejects === undefined
          ? 'Collect them with their reasons: --rejects FILE.'
          : `Correct them in ${options.rejects}, then import that file.`,
    });
}
