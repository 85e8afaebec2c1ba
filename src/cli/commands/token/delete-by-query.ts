import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import type { Token } from '../../../contract/schemas/index.js';
import { AdaptiveLimiter } from '../../bulk/adaptive-limiter.js';
import { BulkJob } from '../../bulk/bulk-job.js';
import { Checkpoint, createState } from '../../bulk/checkpoint.js';
import { countRows } from '../../bulk/count-rows.js';
import { Deleter, type DeletionRow } from '../../bulk/deleter.js';
import { readTokenPages } from '../../bulk/export-tokens.js';
import { InOrderCommitter } from '../../bulk/in-order-committer.js';
import { readNdjson } from '../../bulk/ndjson.js';
import { PageReader } from '../../bulk/page-reader.js';
import type { Context } from '../../command.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { CliError, usageError } from '../../lib/errors.js';
import { createProgress } from '../../output/progress.js';
import { confirmDeletion } from '../shared/confirm.js';
import { bulkClient } from './bulk-client.js';
import { checkpointPath, identifyPlace } from './checkpoint-path.js';
import { createRejectReporter, showJobProgress } from './job-progress.js';

const CONCURRENCY = 8;
/** Pages of the search in flight. */
const SEARCH_CONCURRENCY = 4;
/** Tokens that are deleted one after another, and committed together. */
const BATCH = 10;
/** Bumped when the JSON report changes incompatibly. */
const REPORT_VERSION = 1;

type DeletionCheckpoint = Awaited<ReturnType<typeof Checkpoint.open<'deletion'>>>;

interface Deletion {
  query: string;
  /** Lists the ids of the tokens that the user agreed to delete, as NDJSON. */
  listPath: string;
  checkpoint: DeletionCheckpoint;
  total: number;
}

/** Deletes the tokens that a search finds. An interrupted deletion can be resumed: it goes on with the same tokens. */
export async function deleteByQuery(
  query: string,
  checkpoint: string | undefined,
  context: Context,
): Promise<void> {
  const start = performance.now();
  const deletion = await openDeletion(query, checkpoint, context);
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
  checkpoint: string | undefined,
  context: Context,
): Promise<Deletion | undefined> {
  const place = await identifyPlace(context);
  const path = checkpointPath(checkpoint, 'token-delete', place, context, [query]) as string;
  const listPath = `${path}.ids`;
  const open = async () =>
    Checkpoint.open('deletion', path, {
      ...createState({ ...place, source: await identifyFile(listPath) }),
      query,
    });
  const earlier = await open();
  if (earlier.resumed) {
    const total = await countRows(createReadStream(listPath), 'ndjson');
    const { done } = earlier.state;
    context.output.notice(`Resuming after token ${done}. To start over, delete the checkpoint ${path}.`);
    await confirmDeletion(`the remaining ${total - done} of ${total} tokens`, context);
    return { query, listPath, checkpoint: earlier, total };
  }
  const total = await listTokens(query, listPath, context);
  if (total > 0) return { query, listPath, checkpoint: await open(), total };
  context.output.notice('No token matches the query.');
  return undefined;
}

/** Returns what tells versions of a file apart; undefined if there is none. */
async function identifyFile(path: string): Promise<{ bytes: number; modified_ms: number } | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && { bytes: found.size, modified_ms: Math.floor(found.mtimeMs) };
}

/**
 * Searches, asks whether to delete what is found, and writes the ids to a file.
 * @returns the number of tokens
 */
async function listTokens(query: string, path: string, context: Context): Promise<number> {
  const { output, signal } = context;
  const reader = new PageReader({
    createClient: (hooks) => bulkClient(hooks, context),
    limiter: new AdaptiveLimiter(SEARCH_CONCURRENCY, signal),
    fetchPage: (client, page) => client.call('tokens.search', { body: { query, ...page } }),
    ahead: SEARCH_CONCURRENCY,
  });
  let found = 0;
  let listed = 0;
  const pages = readTokenPages(reader, (total) => (found ||= total));
  const first = await pages.next();
  if (first.done || first.value.length === 0) return 0;
  await confirmDeletion(`${found} tokens`, context);
  const progress = createProgress(output, { unit: 'tokens found', total: found });
  async function* lines(page: readonly Token[]): AsyncGenerator<string, void, void> {
    for (
      let tokens: readonly Token[] | undefined = page;
      tokens;
      tokens = (await pages.next()).value ?? undefined
    ) {
      listed += tokens.length;
      yield tokens.map(({ id }) => `${JSON.stringify({ id })}\n`).join('');
      progress.advance(tokens.length);
    }
  }
  try {
    const temporaryPath = `${path}.new`;
    await writeFileAtomically(path, Readable.from(lines(first.value)), { temporaryPath, signal });
  } finally {
    progress.stop();
  }
  return listed;
}

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
