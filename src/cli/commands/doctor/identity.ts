import type { TransportResponse } from '../../../client/transport.js';
import { PROBLEM_CONTENT_TYPE } from '../../../contract/headers.js';
import { isObject, jsonOf } from '../../../contract/json.js';
import { type CheckResult, problem } from './check.js';
import { addressFix, explainScheme, type Probe } from './connection.js';

const CHECK = 'service';
const GATEWAY_STATUSES = new Set([502, 503, 504]);

/** Explains a response of a service, or of a gateway in front of it, that cannot answer for now; undefined if it could. */
export function explainUnavailable(response: TransportResponse): CheckResult | undefined {
  const { status, headers } = response;
  if (status === 429) {
    const wait = headers['retry-after'];
    const fix = /^\d+$/.test(wait ?? '') ? `Try again in ${wait} s.` : 'Try again in a minute.';
    return problem(CHECK, 'rate_limited', 'the service limits the rate of requests', fix);
  }
  if (!GATEWAY_STATUSES.has(status) && !(status >= 500 && isServiceProblem(response))) return undefined;
  const detail = `the service is not available: it answers ${status}`;
  return problem(CHECK, 'failed', detail, 'Try again later, or ask who runs it.');
}

/** Whether a response has the common error body (decisions.md), by which the service is known. */
function isServiceProblem({ headers, body }: TransportResponse): boolean {
  const content = jsonOf(body);
  return (headers['content-type'] ?? '').startsWith(PROBLEM_CONTENT_TYPE) && isObject(content);
}

/** Explains why a response does not come from a tokenization service, which answers a request without a key with 401. */
export async function explainForeignResponse(
  response: TransportResponse,
  probe: Probe,
): Promise<CheckResult | undefined> {
  const { status, headers } = response;
  const { baseUrl } = probe.target;
  if (status >= 300 && status < 400) {
    const url = redirectTarget(headers.location, baseUrl);
    return problem(
      CHECK,
      'failed',
      `${baseUrl} redirects to ${url ?? 'another address'}`,
      addressFix(probe, url),
    );
  }
  const unavailable = explainUnavailable(response);
  if (unavailable) return unavailable;
  if (isServiceProblem(response)) return explainHeaderPrefix(response, probe);
  if (status === 400 && baseUrl.startsWith('http:') && (await probe.speaksOtherScheme()))
    return explainScheme(baseUrl, probe);
  const type = headers['content-type']?.replace(/;.*/, '') ?? 'no content type';
  const what = `answered ${status} with ${type}, as a tokenization service does not`;
  if (probe.proxy === undefined)
    return problem(CHECK, status === 404 ? 'not_found' : 'failed', `the server ${what}`, addressFix(probe));
  const fix = `Go without the proxy: export NO_PROXY=${new URL(baseUrl).hostname}`;
  const server = `the proxy ${new URL(probe.proxy).host}, or the server behind it,`;
  return problem('proxy', 'failed', `${server} ${what}`, fix);
}

/** Finds the prefix of the trace header, which every response has. */
function explainHeaderPrefix(
  { headers }: TransportResponse,
  { headers: names }: Probe,
): CheckResult | undefined {
  if (headers[names.traceId.toLowerCase()] !== undefined) return undefined;
  const suffix = '-trace-id';
  const found = Object.keys(headers).find((name) => name.endsWith(suffix));
  if (found === undefined) return undefined;
  const prefix = found.slice(0, -suffix.length).toUpperCase();
  const detail = `the headers of the service start with ${prefix}, so that it does not see ${names.apiKey}`;
  return problem(CHECK, 'unauthorized', detail, `export TOKENCTL_HEADER_PREFIX=${prefix}`);
}

/** Returns the base URL that a redirect leads to: the path of the request is not part of it. */
function redirectTarget(location: string | undefined, baseUrl: string): string | undefined {
  if (location === undefined || !URL.canParse(location, baseUrl)) return undefined;
  const { origin, pathname } = new URL(location, baseUrl);
  const path = pathname.replace(/\/applications\/key\/?$/, '').replace(/\/+$/, '');
  return /^https?:/.test(origin) ? origin + path : undefined;
}
