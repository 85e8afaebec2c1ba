import { constants, unzipSync } from 'node:zlib';
import type { OutboundRequest } from '../invocation.js';
import type { SandboxLimits } from '../limits.js';
import { VisibleError } from '../outcome.js';
import type { RespondToFetch } from '../protocol.js';
import type { HttpRequest, HttpResponse } from './http-client.js';
import type { NetworkPolicy } from './policy.js';

/** A finished request, before the main thread adds the invocation that made it. */
export type RequestReport = Omit<OutboundRequest, 'traceId' | 'reactorId'>;

/** Start of a body that is reported. Bytes. */
const PREVIEW_BYTES = 4_096;

/** Calls `send` and reports the request with its response, or with the error, which it throws again. */
export async function reportRequest(
  request: HttpRequest,
  send: () => Promise<HttpResponse>,
  report: (request: RequestReport) => void,
): Promise<HttpResponse> {
  const startedAt = performance.now();
  const requestBody = request.body && preview(request.body);
  const describeRequest = () => ({
    method: request.method,
    url: request.url,
    durationMs: performance.now() - startedAt,
    requestHeaders: Object.fromEntries(request.headers),
    ...(request.body && requestBody !== undefined && { requestBody, requestBytes: request.body }),
  });
  try {
    const response = await send();
    report({
      ...describeRequest(),
      status: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: previewResponse(request, response),
    });
    return response;
  } catch (error) {
    const message = error instanceof VisibleError ? error.message : 'The request failed.';
    report({ ...describeRequest(), error: message, responseHeaders: {} });
    throw error;
  }
}

/** Shows a response as text that the code decompresses itself, as `node-fetch` and `http` clients do. */
function previewResponse({ decompress }: HttpRequest, { headers, body }: HttpResponse): string {
  const encoding = headers.find(([name]) => name === 'content-encoding')?.[1] ?? '';
  if (decompress !== false || !/gzip|deflate/i.test(encoding)) return preview(body);
  try {
    return preview(unzipSync(body.subarray(0, PREVIEW_BYTES), { finishFlush: constants.Z_SYNC_FLUSH }));
  } catch {
    return preview(body);
  }
}

const preview = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, PREVIEW_BYTES)).toString('utf8');

/** Answers a request of reactor code, which sees the errors. @param send sends it under the network policy */
export type InterceptRequest = (
  request: HttpRequest,
  send: () => Promise<HttpResponse>,
) => Promise<HttpResponse>;

/** Creates the function that answers the requests of reactor code. An error becomes plain data. */
export function createFetchResponder(
  intercept: InterceptRequest,
  policy: NetworkPolicy,
  { fetchBodyBytes }: Pick<SandboxLimits, 'fetchBodyBytes'>,
): RespondToFetch {
  return async (request, timeoutMs) => {
    const send = async () => {
      const { followRedirects } = await import('./redirects.js');
      const signal = AbortSignal.timeout(timeoutMs);
      return followRedirects(request, { policy, maxBodyBytes: fetchBodyBytes, signal });
    };
    try {
      return { value: await intercept(request, send) };
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The request failed.';
      const { name, code } = error instanceof VisibleError ? error : {};
      return { failure: { message, name, code } };
    }
  };
}
