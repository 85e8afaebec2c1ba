import { resolve } from 'node:path';
import { AdaptiveLimiter } from '../../bulk/adaptive-limiter.js';
import type { Checkpoint } from '../../bulk/checkpoint.js';
import { Importer } from '../../bulk/importer.js';
import { InOrderCommitter } from '../../bulk/in-order-committer.js';
import { RejectsFile } from '../../bulk/rejects.js';
import type { Reject } from '../../bulk/row.js';
import { Uploader } from '../../bulk/uploader.js';
import type { Context } from '../../command.js';
import { CliError, usageError } from '../../lib/errors.js';
import { createProgress, type Progress } from '../../output/progress.js';
import { bulkClient } from './bulk-client.js';
import { openCheckpoint } from './import-checkpoint.js';
import { countSourceRows, formatOf, openSource, readRows, type Source } from './import-source.js';

export interface ImportCommandOptions {
  source: string;
  format?: string | undefined;
  type?: string | undefined;
  checkpoint?: string | undefined;
  rejects?: string | undefined;
  batch?: number | undefined;
  concurrency?: number | undefined;
}

const DEFAULT_BATCH = 100;
const MAX_BATCH = 1_000;
const DEFAULT_CONCURRENCY = 8;
const MAX_CONCURRENCY = 64;
/** Number of rejected rows that are reported on stderr without `--rejects`. */
const SHOWN_REJECTS = 10;

function within(value: number, maximum: number, flag: string): number {
  if (value >= 1 && value <= maximum) return value;
  throw usageError(`${flag} must be from 1 to ${maximum}.`);
}

/** Creates a function that reports the first rejected rows on stderr, unless a file collects them. */
function createRejectReporter(
  { rejects }: ImportCommandOptions,
  { output }: Context,
): (reject: Reject) => void {
  let reported = 0;
  return ({ number, reason }) => {
    reported++;
    if (rejects !== undefined || reported > SHOWN_REJECTS + 1) return;
    output.warn(
      reported > SHOWN_REJECTS
        ? 'More rows are rejected; --rejects FILE collects them all.'
        : `row ${number}: ${reason.replaceAll('\n', '\\n')}`,
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
  const { state } = checkpoint;
  const rejectsFile =
    options.rejects === undefined
      ? undefined
      : await RejectsFile.open(resolve(settings.cwd, options.rejects), format, state.rejects_bytes);
  const limiter = new AdaptiveLimiter(
    within(options.concurrency ?? DEFAULT_CONCURRENCY, MAX_CONCURRENCY, '--concurrency'),
    signal,
  );
  try {
    await new Importer({
      rows: readRows(source, format, options.type),
      type: options.type,
      batch: within(options.batch ?? DEFAULT_BATCH, MAX_BATCH, '--batch'),
      limiter,
      signal,
      checkpoint,
      uploader: new Uploader({
        createClient: (hooks) => bulkClient(hooks, context),
        limiter,
        importId: state.import_id,
      }),
      committer: new InOrderCommitter(checkpoint, rejectsFile, createRejectReporter(options, context)),
      onProgress: (rows) => progress.advance(rows),
    }).run();
  } finally {
    await rejectsFile?.close();
  }
}

/** Bumped when the JSON report changes incompatibly. */
const REPORT_VERSION = 1;

export async function run(options: ImportCommandOptions, context: Context): Promise<void> {
  const { output, settings } = context;
  const start = performance.now();
  const source = await openSource(options.source, context);
  const checkpoint = await openCheckpoint(options.checkpoint, source, context);
  const { state } = checkpoint;
  const before = state.done;
  if (!state.completed) {
    // Before the progress bar, since it may ask.
    await (await context.client.connection()).beforeWrite?.();
    const total = await countSourceRows(source, formatOf(options), context);
    const progress = createProgress(output, { unit: 'rows', done: before, total });
    try {
      await importRows(options, source, checkpoint, progress, context);
    } catch (error) {
      const after = total === undefined ? state.done : `${state.done} of ${total}`;
      output.notice(
        checkpoint.path === undefined
          ? `Stopped after row ${after}. Only an import with --checkpoint FILE can be resumed.`
          : `Stopped after row ${after}. Run the same command again to resume.`,
      );
      throw error;
    } finally {
      progress.stop();
    }
    state.completed = true;
    await checkpoint.save();
  }
  const isReport = settings.output.mode !== 'table';
  const seconds = (performance.now() - start) / 1000;
  await output.result(
    {
      ...(isReport && { version: REPORT_VERSION }),
      rows: state.done,
      imported: state.imported,
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
