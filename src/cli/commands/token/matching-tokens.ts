import { Readable } from 'node:stream';
import type { Token } from '../../../contract/schemas/index.js';
import { AdaptiveLimiter } from '../../bulk/adaptive-limiter.js';
import { readTokenPages } from '../../bulk/export-tokens.js';
import { PageReader } from '../../bulk/page-reader.js';
import type { Context } from '../../command.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { createProgress } from '../../output/progress.js';
import { confirmDeletion } from '../shared/confirm.js';
import { bulkClient } from './bulk-client.js';

/** Pages of the search in flight. */
const SEARCH_CONCURRENCY = 4;

/**
 * Searches, asks whether to delete what is found, and writes the ids to a file.
 * @returns the number of tokens
 */
export async function listMatchingTokens(query: string, path: string, context: Context): Promise<number> {
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
  await confirmDeletion(found === 1 ? '1 token' : `${found} tokens`, context);
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
