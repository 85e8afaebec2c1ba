import { problem } from '../../problems/problem.js';
import { CONNECTION_HEADERS } from '../../sandbox/network/http-client.js';
import type { Charge } from '../../services/admission.js';
import type { RequestRecord } from '../../services/request-record/request-record.js';
import type { Call } from '../context.js';

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
  ...CONNECTION_HEADERS,
  'host',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
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

/** Names what a request has passed, so that a proxy that leads to itself is recognized (RFC 8586). */
const LOOP_HEADER = 'cdn-loop';
const OWN_NAME = 'tokenctl';
/** Proxies that one request may pass, one after another. */
const MAX_PROXIES = 5;

type Headers = readonly (readonly [name: string, value: string])[];

const isLoopHeader = ([name]: Headers[number]): boolean => name.toLowerCase() === LOOP_HEADER;

/** Lists what a request has passed. @throws ProblemError 502 for too many proxies: each hop of a loop takes a connection */
export function readPassed(headers: Headers): string[] {
  const passed = headers
    .filter(isLoopHeader)
    .flatMap(([, value]) => value.split(',').map((one) => one.trim()));
  if (passed.filter((name) => name === OWN_NAME).length >= MAX_PROXIES)
    throw problem(
      'destinationUnreachable',
      `The request has passed ${MAX_PROXIES} proxies; it leads to itself.`,
    );
  return passed;
}

/** Adds this proxy to what the request has passed, whatever a transform made of the header. */
export function addPassed(headers: Headers, passed: readonly string[]): [string, string][] {
  const others = headers.filter((header) => !isLoopHeader(header));
  return [
    ...others.map(([name, value]): [string, string] => [name, value]),
    [LOOP_HEADER, [...passed, OWN_NAME].join(', ')],
  ];
}
