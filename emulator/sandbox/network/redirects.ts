import { VisibleError } from '../outcome.js';
import { hasLongHost } from './address.js';
import { type HttpRequest, type HttpResponse, type RequestOptions, sendRequest } from './http-client.js';

const MAX_REDIRECTS = 20;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** Headers that are dropped when a redirect leads to another origin. */
const CREDENTIAL_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Sends a request and follows redirects. The network policy is applied to every hop. @throws VisibleError */
export async function followRedirects(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
  let current = request;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await sendRequest(current, options);
    const [, location] = response.headers.find(([name]) => name === 'location') ?? [];
    const isRedirect = REDIRECT_STATUSES.has(response.status);
    const redirected = hops > 0;
    if (!isRedirect || location === undefined || request.redirect === 'manual')
      return { ...response, url: current.url, redirected };
    if (request.redirect === 'error')
      throw new VisibleError('unexpected redirect', 'TypeError', 'ERR_REDIRECT');
    current = nextRequest(current, response.status, location);
  }
  throw new VisibleError('redirect count exceeded', 'TypeError', 'ERR_REDIRECT');
}

/** Builds the request for the next hop (Fetch standard, "HTTP-redirect fetch"). */
function nextRequest(request: HttpRequest, status: number, location: string): HttpRequest {
  const url = parseLocation(location, request.url);
  const changesToGet = status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST';
  const isSameOrigin = url.origin === new URL(request.url).origin;
  const headers = request.headers.filter(([name]) => {
    const lowerName = name.toLowerCase();
    return (
      (isSameOrigin || !CREDENTIAL_HEADERS.has(lowerName)) &&
      !(changesToGet && lowerName.startsWith('content-'))
    );
  });
  return changesToGet
    ? { ...request, url: url.href, headers, method: 'GET', body: undefined }
    : { ...request, url: url.href, headers };
}

function parseLocation(location: string, base: string): URL {
  try {
    if (hasLongHost(location)) throw new RangeError();
    return new URL(location, base);
  } catch {
    throw new VisibleError(
      'The Location header of the redirect is not a valid URL.',
      'TypeError',
      'ERR_REDIRECT',
    );
  }
}
