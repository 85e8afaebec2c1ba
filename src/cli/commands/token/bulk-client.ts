import { type Client, createClient } from '../../../client/client.js';
import type { ClientHooks } from '../../../client/options.js';
import type { Context } from '../../command.js';
import { USER_AGENT } from '../../lib/user-agent.js';

/** Responses of 429 to one request after which a bulk command ends. */
const MAX_RATE_LIMITS = 20;

/** Creates the client of an import or export: a rate limit slows it down instead of ending it. */
export function bulkClient(hooks: ClientHooks, { client, output, settings, signal }: Context): Client {
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
      output.notice('Rate limited; going on as fast as the service allows …');
    },
  });
}
