import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { AdaptiveLimiter, LimitedClient } from '../../bulk/adaptive-limiter.js';
import { BulkJob } from '../../bulk/bulk-job.js';
import { Checkpoint, identifyFile, type JobIdentity } from '../../bulk/checkpoint.js';
import { createDeleter, type DeletionRow } from '../../bulk/deleter.js';
import { readNdjson } from '../../bulk/ndjson.js';
import type { Context } from '../../command.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { CliError, usageError } from '../../lib/errors.js';
import { createProgress } from '../../output/progress.js';
import { confirmDeletion } from '../shared/confirm.js';
import { bulkClient, createRejectReporter, readTokens, showJobProgress, withCheckpointPath } from './bulk.js';

const CONCURRENCY = 8;
/** Tokens that are deleted one after another, and committed together. */
const BATCH = 10;

interface Deletion {
  /** Lists the ids of the tokens that the user agreed to delete, as NDJSON. */
  listPath: string;
  checkpoint: Checkpoint;
  total: number;
}

/** Deletes the tokens that a search finds. An interrupted deletion can be resumed with the same tokens. */
export async function deleteByQuery(
  query: string,
  checkpoint: string | undefined,
  context: Context,
): Promise<void> {
  const choice = { checkpoint, base: 'token-delete', more: query, job: 'deletion' };
  await withCheckpointPath(choice, context, (path = '', place) =>
    deleteMatching(query, path, place, context),
  );
}

async function deleteMatching(
  query: string,
  path: string,
  place: JobIdentity,
  context: Context,
): Promise<void> {
  const start = performance.now();
  const deletion = await openDeletion(query, path, place, context);
  const before = deletion?.checkpoint.state.done ?? 0;
  if (deletion) await carryOut(deletion, context);
  const tokens = deletion?.total ?? 0;
  const failed = deletion?.checkpoint.state.rejected ?? 0;
  const isReport = context.settings.output.mode !== 'table';
  await context.output.result(
    {
      ...(isReport && { version: 1 }),
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
  path: string,
  place: JobIdentity,
  context: Context,
): Promise<Deletion | undefined> {
  const listPath = `${path}.ids`;
  const query_hash = createHash('sha256').update(query).digest('hex');
  const open = async () => {
    const list = await stat(listPath).catch(() => undefined);
    return Checkpoint.open(path, { ...place, source: list && identifyFile(list), query_hash });
  };
  const earlier = await open();
  if (earlier.resumed) {
    let total = 0;
    for await (const _ of readNdjson(createReadStream(listPath))) total++;
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

/**
 * Searches, asks whether to delete what is found, and writes the ids to a file.
 * @returns the number of tokens
 */
async function listMatchingTokens(query: string, path: string, context: Context): Promise<number> {
  const { output, signal } = context;
  let found = 0;
  let listed = 0;
  const tokens = readTokens(
    (client, page) => client.call('tokens.search', { body: { query, ...page } }),
    (total) => (found ||= total),
    context,
  );
  const first = await tokens.next();
  if (first.done) return 0;
  await confirmDeletion(found === 1 ? '1 token' : `${found} tokens`, context);
  const progress = createProgress(output, { unit: 'tokens found', total: found });
  async function* lines(): AsyncGenerator<string, void, void> {
    for (let next = first; !next.done; next = await tokens.next()) {
      yield `${JSON.stringify({ id: next.value.id })}\n`;
      listed++;
      progress.advance(1);
    }
  }
  try {
    await writeFileAtomically(path, Readable.from(lines()), { signal });
  } finally {
    progress.stop();
  }
  return listed;
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
  const limited = new LimitedClient({ createClient: (hooks) => bulkClient(hooks, context), limiter });
  const report = createRejectReporter(
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
    process: createDeleter(limited),
    reject: async (rejects) => {
      report(rejects);
      return 0;
    },
    onProgress,
  }).run();
}

async function* readIds(list: Readable): AsyncGenerator<DeletionRow, void, void> {
  for await (const { number, record } of readNdjson(list)) {
    if (typeof record?.id !== 'string') throw usageError(`Line ${number} of the list of tokens has no id.`);
    yield { number, record: { id: record.id } };
  }
}
