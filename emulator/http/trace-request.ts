import type { Tracing } from '../services/tracing/tracing.js';
import type { Step } from './step.js';

const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/**
 * Starts the span of a request, below that of the caller (W3C Trace Context). The request log ends it. `tracestate` is left
 * out: it may hold any text.
 */
export function traceRequest(tracing: Pick<Tracing, 'startRequest'>): Step {
  return (request) => {
    const { traceparent } = request.headers;
    request.span = tracing.startRequest({ traceId: request.id, traceparent: single(traceparent) });
  };
}
