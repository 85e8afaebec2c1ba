import type { OutboundRequest } from '../invocation.js';
import { VisibleError } from '../visible-error.js';
import type { HttpRequest, HttpResponse } from './redirects.js';

type RequestReport = Omit<OutboundRequest, 'traceId' | 'reactorId'>;

const MAX_BODY_BYTES = 4_096;

/** Sends, and tells `report` what was sent and what came back. */
export async function reportRequest(
  call: HttpRequest,
  send: () => Promise<HttpResponse>,
  report: (request: RequestReport) => void,
): Promise<HttpResponse> {
  const began = performance.now();
  const requestBody = call.body && preview(call.body);
  const common = () => ({
    method: call.method,
    url: call.url,
    durationMs: performance.now() - began,
    requestHeaders: Object.fromEntries(call.headers),
    ...(requestBody !== undefined && { requestBody }),
  });
  try {
    const answer = await send();
    const responseHeaders = Object.fromEntries(answer.headers);
    report({ ...common(), status: answer.status, responseHeaders, responseBody: preview(answer.body) });
    return answer;
  } catch (error) {
    const message = error instanceof VisibleError ? error.message : 'The request failed.';
    report({ ...common(), error: message, responseHeaders: {} });
    throw error;
  }
}

const preview = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(0, MAX_BODY_BYTES)).toString('utf8');
