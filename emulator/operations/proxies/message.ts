import type { Charge } from '../../services/admission.js';
import type { RequestRecord } from '../../services/request-record/request-record.js';
import type { Call } from '../call.js';

/** A request to a proxy, as it arrived. */
export interface ProxyRequest {
  method: string;
  /** What follows `/proxy` in the path, as sent: empty, or beginning with a slash. */
  path: string;
  /** The query as sent, without the question mark. */
  query: string;
  /** One pair per header line. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
  /** The authenticated caller; null without an API key. */
  call: Call | null;
  record: RequestRecord;
  /** What the request holds. */
  charge: Charge;
  traceId: string;
}

/** The response of a destination, or what a response transform made of it. */
export interface ProxyResponse {
  status: number;
  headers: [name: string, value: string][];
  body: Buffer;
}

/** Headers of one connection (RFC 9110, section 7.6.1), and those that follow from the body. */
const HOP_BY_HOP = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Leaves out the headers that are not forwarded: those of the connection, and those named by `more`. */
export function forwardable<Pair extends readonly [name: string, value: string]>(
  headers: readonly Pair[],
  more: ReadonlySet<string>,
): Pair[] {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(','));
  const dropped = new Set(named.map((name) => name.trim().toLowerCase()));
  return headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !HOP_BY_HOP.has(lower) && !more.has(lower) && !dropped.has(lower);
  });
}
