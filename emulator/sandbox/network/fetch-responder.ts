import type { SandboxLimits } from '../limits.js';
import type { RespondToFetch } from '../protocol.js';
import { VisibleError } from '../visible-error.js';
import type { HttpRequest, HttpResponse } from './http-message.js';
import type { NetworkPolicy } from './policy.js';

/**
 * Answers a request of reactor code. An error that it throws is what the code sees.
 * @param send sends the request under the network policy, following redirects
 */
export type InterceptRequest = (
  request: HttpRequest,
  send: () => Promise<HttpResponse>,
) => Promise<HttpResponse>;

/** Creates the function that answers the requests of reactor code. It never rejects: an error becomes plain data. */
export function createFetchResponder(
  intercept: InterceptRequest,
  policy: NetworkPolicy,
  { fetchBodyBytes }: Pick<SandboxLimits, 'fetchBodyBytes'>,
): RespondToFetch {
  return async ({ call, request }, timeoutMs) => {
    const send = async () => {
      const { followRedirects } = await import('./redirects.js');
      const signal = AbortSignal.timeout(timeoutMs);
      return followRedirects(request, { policy, maxBodyBytes: fetchBodyBytes, signal });
    };
    try {
      return { type: 'fetch-response', call, response: await intercept(request, send) };
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The request failed.';
      const { name, code } = error instanceof VisibleError ? error : {};
      return { type: 'fetch-response', call, failure: { message, name, code } };
    }
  };
}
