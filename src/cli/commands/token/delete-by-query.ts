import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { AdaptiveLimiter } from '../../bulk/adaptive-limiter.js';
import { BulkJob, InOrderCommitter } from '../../bulk/bulk-job.js';
import { Checkpoint, createState } from '../../bulk/checkpoint.js';
import { countRows } from '../../bulk/count-rows.js';
import { Deleter, type DeletionRow } from '../../bulk/deleter.js';
import { readNdjson } from '../../bulk/ndjson.js';
import type { Context } from '../../command.js';
import { CliError, usageError } from '../../lib/errors.js';
import { confirmDeletion } from '../shared/confirm.js';
import { bulkClient } from './bulk-client.js';
import { checkpointPath, identifyPlace, withCheckpointLock } from './checkpoint-path.js';
import { createRejectReporter, showJobProgress } from './job-progress.js';
import { listMatchingTokens } from './matching-tokens.js';

const CONCURRENCY = 8;
/** Tokens that are deleted one after another, and committed together. */
const BATCH = 10;
/** Bumped when the JSON report changes incompatibly. */
const REPORT_VERSION = 1;

type DeletionCheckpoint = Awaited<ReturnType<typeof Checkpoint.open<'deletion'>>>;

/** The service and tenant, and the path of the checkpoint. */
type DeletionPlace = Awaited<ReturnType<typeof identifyPlace>> & { path: string };

interface Deletion {
  /** Lists the ids of the tokens that the user agreed to delete, as NDJSON. */
  listPath: string;
  checkpoint: DeletionCheckpoint;
  total: number;
}

/** Deletes the tokens that a search finds. An interrupted deletion can be resumed with the same tokens. */
export async function deleteByQuery(
  query: string,
  checkpoint: string | undefined,
  context: Context,
): Promise<void> {
  const place = await identifyPlace(context);
  const path = checkpointPath(checkpoint, 'token-delete', place, context, [query]);
  await withCheckpointLock(path, `deletion with the checkpoint ${path}`, () =>
    deleteMatching(query, { ...place, path }, context),
  );
}

async function deleteMatching(query: string, place: DeletionPlace, context: Context): Promise<void> {
  const start = performance.now();
  const deletion = await openDeletion(query, place, context);
  const before = deletion?.checkpoint.state.done ?? 0;
  if (deletion) await carryOut(deletion, context);
  const tokens = deletion?.total ?? 0;
  const failed = deletion?.checkpoint.state.rejected ?? 0;
  const isReport = context.settings.output.mode !== 'table';
  await context.output.result(
    {
      ...(isReport && { version: REPORT_VERSION }),
      tokens,
      deleted: tokens - failed,
      failed,
      ...(before > 0 && { resumed_after: before }),
      ...(isReport && { duration_ms: Math.round(performance.now() - start) }),
    },
    { redaction: 'plain' },
  );
  if (failed > 0) throw new CliError('failed', `${failed} of ${tokens} tokens were not deleted.`);
}

/** Deletes the listed tokens, and removes the files that a deletion needs to be resumed unless it can be. */
async function carryOut(deletion: Deletion, context: Context): Promise<void> {
  const { total, checkpoint, listPath } = deletion;
  try {
    await showJobProgress(checkpoint, { unit: 'token', total }, context, (onProgress) =>
      runJob(deletion, onProgress, context),
    );
  } catch (error) {
    const hasBegun = checkpoint.state.reserved > 0;
    if (!hasBegun) await rm(listPath, { force: true });
    throw error;
  }
  await checkpoint.remove();
  await rm(listPath, { force: true });
}

/** Resumes the deletion of an earlier run, or searches for the tokens; undefined if there are none. Asks in both cases. */
async function openDeletion(
  query: string,
  { path, ...place }: DeletionPlace,
  context: Context,
): Promise<Deletion | undefined> {
  const listPath = `${path}.ids`;
  const open = async () =>
    Checkpoint.open('deletion', path, {
      ...createState({ ...place, source: await identifyFile(listPath) }),
      query_hash: createHash('sha256').update(query).digest('hex'),
    });
  const earlier = await open();
  if (earlier.resumed) {
    const total = await countRows(createReadStream(listPath), 'ndjson');
    const { done, source } = earlier.state;
    const searchedAt = source ? new Date(source.modified_ms).toISOString() : '';
    context.output.notice(
      `Resuming after token ${done} of the search of ${searchedAt}. To search again, delete the checkpoint ${path}.`,
    );
    await confirmDeletion(`the remaining ${total - done} of ${total} tokens`, context);
    return { listPath, checkpoint: earlier, total };
  }
  const total = await listMatchingTokens(query, listPath, context);
  if (total > 0) return { listPath, checkpoint: await open(), total };
  context.output.notice('No token matches the query.');
  return undefined;
}

/** Returns what distinguishes versions of a file; undefined if there is none. */
async function identifyFile(path: string): Promise<{ bytes: number; modified_ms: number } | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && { bytes: found.size, modified_ms: Math.floor(found.mtimeMs) };
}

/** Deletes the tokens of the list that are left. */
async function runJob(
  { listPath, checkpoint }: Deletion,
  onProgress: (tokens: number) => void,
  context: Context,
): Promise<void> {
  const { client, signal } = context;
  await (await client.connection()).beforeWrite?.();
  const limiter = new AdaptiveLimiter(CONCURRENCY, signal);
  const deleter = new Deleter({ createClient: (hooks) => bulkClient(hooks, context), limiter });
  const reportReject = createRejectReporter<{ original: Record<string, unknown>; reason: string }>(
    context,
    ({ original }) => `token ${original.id}`,
    'More tokens were not deleted.',
  );
  await new BulkJob({
    rows: readIds(addAbortSignal(signal, createReadStream(listPath))),
    batch: BATCH,
    limiter,
    signal,
    checkpoint,
    process: (rows) => deleter.delete(rows),
    committer: new InOrderCommitter(checkpoint, undefined, reportReject),
    onProgress,
  }).run();
}

async function* readIds(list: Readable): AsyncGenerator<DeletionRow, void, void> {
  for await (const { number, record } of readNdjson(list)) {
    if (typeof record?.id !== 'string') throw usageError(`Line ${number} of the list of tokens has no id.`);
    yield { number, record: { id: record.id } };
  }
}
