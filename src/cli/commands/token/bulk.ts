import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { type Client, createClient } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { everyItem, type Page } from '../../../client/pages.js';
import type { ClientHooks } from '../../../client/request.js';
import type { Token } from '../../../contract/schemas/index.js';
import { type Checkpoint, type JobIdentity, unwritableCheckpoint } from '../../bulk/checkpoint.js';
import type { Reject } from '../../bulk/row.js';
import type { Context } from '../../command.js';
import { exclusively } from '../../lib/exclusive-lock.js';
import { USER_AGENT } from '../../lib/user-agent.js';
import { createProgress } from '../../output/progress.js';

const MAX_RATE_LIMITS = 20;

/** Creates the client of a bulk command: a rate limit slows it down instead of ending it. */
export function bulkClient({ client, output, settings, signal }: Context, hooks: ClientHooks = {}): Client {
  let isLimited = false;
  return createClient({
    connect: () => client.connection(),
    timeoutMs: settings.timeoutMs,
    rateLimitRetries: MAX_RATE_LIMITS,
    hooks,
    signal,
    userAgent: USER_AGENT,
    onAttempt: ({ method, url, status, durationMs, traceId }) => {
      output.debug(
        `${method} ${url} ${status} ${durationMs.toFixed(0)} ms${traceId ? ` trace ${traceId}` : ''}`,
      );
      if (status !== 429 || isLimited) return;
      isLimited = true;
      output.notice('Rate limited; continuing as fast as the service allows …');
    },
  });
}

/** Reads all tokens of a list or search, as fast as the rate limits of the service allow. @param onTotal called for each page */
export function readTokens(
  fetchPage: (client: Client, page: { page: number; size: number }) => Promise<Page<Token>>,
  onTotal: (total: number) => void,
  context: Context,
): AsyncGenerator<Token, void, void> {
  const client = bulkClient(context);
  return everyItem(async (page, size) => {
    const response = await fetchPage(client, { page, size });
    onTotal(response.pagination.total_items);
    return response;
  });
}

type Place = Pick<JobIdentity, 'target' | 'tenant'>;

/** Returns the service and the tenant of the key, which a service without this extension does not disclose. */
async function identifyPlace({ client }: Context): Promise<Place> {
  const target = (await client.connection()).transport.url;
  try {
    return { target, tenant: (await client.call('applications.key', {})).tenant_id };
  } catch (error) {
    if (error instanceof ServiceError && error.status !== 401) return { target, tenant: undefined };
    throw error;
  }
}

interface CheckpointChoice {
  checkpoint: string | undefined;
  /** The start of the path without it, which ends in a hash of service and tenant. Without both, nothing is saved. */
  base: string | undefined;
}

function checkpointPath(
  { checkpoint, base }: CheckpointChoice,
  { target, tenant = '' }: Place,
  cwd: string,
): string | undefined {
  if (checkpoint !== undefined) return resolve(cwd, checkpoint);
  if (base === undefined) return undefined;
  const hash = createHash('sha256').update(`${target} ${tenant}`).digest('hex').slice(0, 8);
  return `${resolve(cwd, base)}.${hash}.checkpoint`;
}

/** Runs an import while no other process runs the one with the same checkpoint, whose rows both would send. */
export async function withCheckpointPath(
  choice: CheckpointChoice,
  context: Context,
  run: (path: string | undefined, place: Place) => Promise<void>,
): Promise<void> {
  const place = await identifyPlace(context);
  const path = checkpointPath(choice, place, context.settings.cwd);
  if (path === undefined) return run(path, place);
  const what = `import with the checkpoint ${path}`;
  const lock = `${path}.lock`;
  const names = { what, again: 'run this command again to continue' };
  return exclusively(lock, names, () => run(path, place)).catch((error: NodeJS.ErrnoException) => {
    throw error.path === lock ? unwritableCheckpoint(path, error.code) : error;
  });
}

/** Runs an import and shows its progress. If it stops early, prints how far it is and how to resume it. */
export async function showJobProgress(
  { path, state }: Checkpoint,
  total: number | undefined,
  { output }: Context,
  run: (onProgress: (rows: number) => void) => Promise<void>,
): Promise<void> {
  const progress = createProgress(output, { unit: 'rows', done: state.done, total });
  try {
    await run(progress.advance);
  } catch (error) {
    const rows = total === undefined ? '' : ` of ${total}`;
    const after =
      state.done === 0 ? 'Stopped before the first row.' : `Stopped after row ${state.done}${rows}.`;
    const how =
      path === undefined
        ? 'Only a run with --checkpoint FILE can be resumed.'
        : 'Run the same command again to resume.';
    const hasBegun = state.reserved > 0;
    if (hasBegun) output.notice(`${after} ${how}`);
    throw error;
  } finally {
    progress.stop();
  }
}

const SHOWN_REJECTS = 10;

/** Creates a function that prints the first rejects as warnings. @param more printed once when there are more */
export function createRejectReporter(
  { output }: Context,
  describe: (reject: Reject) => string,
  more: string,
): (rejects: readonly Reject[]) => void {
  let reported = 0;
  return (rejects) => {
    for (const reject of rejects) {
      reported++;
      if (reported <= SHOWN_REJECTS)
        output.warn(`${describe(reject)}: ${reject.reason.replaceAll('\n', '\\n')}`);
      else if (reported === SHOWN_REJECTS + 1) output.warn(more);
    }
  };
}
