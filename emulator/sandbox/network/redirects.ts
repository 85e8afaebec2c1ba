import { VisibleError } from '../visible-error.js';
import { sendRequest } from './http-client.js';
import type { NetworkPolicy } from './policy.js';

/** An outbound request of reactor code, after the guest's `fetch` has taken its arguments apart. */
export interface HttpRequest {
  url: string;
  method: string;
  headers: [string, string][];
  body: Uint8Array | undefined;
  redirect: 'follow' | 'error' | 'manual';
}

export interface HttpResponse {
  /** After redirects. */
  url: string;
  redirected: boolean;
  status: number;
  statusText: string;
  headers: [string, string][];
  body: Uint8Array;
}

export interface RequestOptions {
  policy: NetworkPolicy;
  /** Of the body after decompression. Bytes. */
  maxBodyBytes: number;
  signal: AbortSignal;
}

const MAX_REDIRECTS = 20;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** Not sent on to another origin. */
const CREDENTIAL_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * One request under the network policy, redirects included; each hop is checked at the moment of connecting.
 * @throws VisibleError what reactor code may see: refused, no connection, too large, aborted.
 */
export async function followRedirects(call: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
  let current = call;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answer = await sendRequest(current, options);
    const location = REDIRECT_STATUSES.has(answer.status)
      ? findHeader(answer.headers, 'location')
      : undefined;
    const redirected = hops > 0;
    if (location === undefined || call.redirect === 'manual')
      return { ...answer, url: current.url, redirected };
    if (call.redirect === 'error') throw new VisibleError('unexpected redirect', 'TypeError', 'ERR_REDIRECT');
    current = redirectedRequest(current, answer.status, location);
  }
  throw new VisibleError('redirect count exceeded', 'TypeError', 'ERR_REDIRECT');
}

/** The request after a redirect, as the Fetch standard has it. */
function redirectedRequest(call: HttpRequest, status: number, location: string): HttpRequest {
  const url = parseLocation(location, call.url);
  const toGet = status === 303 ? call.method !== 'HEAD' : status < 303 && call.method === 'POST';
  const sameOrigin = url.origin === new URL(call.url).origin;
  const headers = call.headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return (sameOrigin || !CREDENTIAL_HEADERS.has(lower)) && !(toGet && lower.startsWith('content-'));
  });
  return toGet
    ? { ...call, url: url.href, headers, method: 'GET', body: undefined }
    : { ...call, url: url.href, headers };
}

function parseLocation(location: string, base: string): URL {
  try {
    return new URL(location, base);
  } catch {
    throw new VisibleError('The redirect has no valid location.', 'TypeError', 'ERR_REDIRECT');
  }
}

const findHeader = (headers: [string, string][], name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1];
