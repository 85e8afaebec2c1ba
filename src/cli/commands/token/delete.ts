import pLimit from 'p-limit';
import { inBackground } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { refusalReason } from '../../bulk/rejects.js';
import type { Context } from '../../command.js';
import type { Options } from '../../flags/flag.js';
import { CliError, usageError } from '../../lib/errors.js';
import { unlessStatus } from '../../lib/key-owner.js';
import { countOf } from '../../lib/text.js';
import { createProgress, type Progress } from '../../output/progress.js';
import { deleteEach, describeReferences } from '../shared/batch.js';
import { asks, confirmDeletion } from '../shared/confirm.js';
import { bulkClient, createRejectReporter, readTokens } from './bulk.js';

type DeleteOptions = { id: string[] } & Options<'query'>;

export async function run({ id: ids, query }: DeleteOptions, context: Context): Promise<void> {
  if ((query === undefined) === (ids.length === 0))
    throw usageError('Give either token ids or --query.', 'See: tokenctl token delete --help');
  if (query === undefined) return deleteByIds(ids, context);
  // An unset variable of a script must not delete all tokens.
  if (query.trim() === '') throw usageError('--query must not be empty.', 'For all tokens: --query "id:*"');
  await deleteByQuery(query, context);
}

const TOKENS = { noun: 'token', collection: 'tokens' };

async function deleteByIds(ids: readonly string[], context: Context): Promise<void> {
  const [only = ''] = ids;
  // Nobody is asked about a token that does not exist. A key that may not read it may delete it all the same.
  if (ids.length === 1 && asks(context))
    await unlessStatus([403], inBackground(context.client).call('tokens.get', { path: { id: only } }));
  await confirmDeletion(describeReferences(TOKENS, ids), context);
  const remove = (id: string) => context.client.call('tokens.delete', { path: { id } });
  await deleteEach(TOKENS, ids, remove, context);
}

const CONCURRENCY = 8;
/** A refusal that concerns one token: the others may be deleted all the same. */
const REFUSALS = new Set([400, 403, 409]);
/** Refusals in a row at the start after which the key is taken to lack the permission. */
const MAX_FIRST_REFUSALS = 100;

/** Deletes the tokens that a search finds. After an interruption, the same command deletes the others. */
async function deleteByQuery(query: string, context: Context): Promise<void> {
  const { output, settings } = context;
  const start = performance.now();
  const ids = await findIds(query, context);
  const isReport = settings.output.mode !== 'table';
  if (ids.length === 0) {
    output.notice('No token matches the query.');
    if (!isReport) return;
  }
  const failed = ids.length === 0 ? 0 : await deleteAll(ids, context);
  await output.plain({
    ...(isReport && { version: 1 }),
    ...{ tokens: ids.length, deleted: ids.length - failed, failed },
    ...(isReport && { duration_ms: Math.round(performance.now() - start) }),
  });
  if (failed > 0) throw new CliError('failed', `${failed} of ${ids.length} tokens were not deleted.`);
}

async function findIds(query: string, context: Context): Promise<string[]> {
  let total = 0;
  const tokens = readTokens(
    (client, page) => client.call('tokens.search', { body: { query, ...page } }),
    (found) => (total ||= found),
    context,
  );
  const ids: string[] = [];
  let progress: Progress | undefined;
  try {
    for await (const { id } of tokens) {
      if (!progress) await confirmDeletion(countOf(total, 'token'), context);
      progress ??= createProgress(context.output, { unit: 'tokens found', total });
      ids.push(id);
      progress.advance(1);
    }
  } finally {
    progress?.stop();
  }
  return ids;
}

async function deleteAll(ids: readonly string[], context: Context): Promise<number> {
  const { client, output } = context;
  await (await client.connection()).beforeWrite?.();
  const bulk = bulkClient(context);
  const warn = createRejectReporter(
    context,
    ({ original }) => `token ${original.id}`,
    'More tokens were not deleted.',
  );
  const progress = createProgress(output, { unit: 'tokens', total: ids.length });
  const limit = pLimit(CONCURRENCY);
  let [deleted, refused] = [0, 0];
  let failure: unknown;
  const deleteOne = async (id: string, index: number): Promise<void> => {
    // Those in flight end, so that they are counted; no other one begins.
    if (failure !== undefined) return;
    const error = await bulk.call('tokens.delete', { path: { id } }).catch((reason: unknown) => reason);
    // A token that is gone was deleted: an earlier attempt may have done it.
    if (error === undefined || (error instanceof ServiceError && error.status === 404)) deleted++;
    else {
      refused++;
      const isOfToken = error instanceof ServiceError && REFUSALS.has(error.status);
      if (!isOfToken || (deleted === 0 && refused > MAX_FIRST_REFUSALS)) {
        failure ??= error;
        return;
      }
      warn([{ number: index + 1, original: { id }, reason: refusalReason(error) }]);
    }
    progress.advance(1);
  };
  await limit.map(ids, deleteOne).finally(() => progress.stop());
  if (failure === undefined) return refused;
  output.notice(`Stopped after ${deleted} of ${ids.length} tokens. The same command deletes the others.`);
  throw failure;
}
