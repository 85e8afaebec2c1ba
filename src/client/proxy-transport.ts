import undici from 'undici';
import { ProtocolError } from './errors.js';
import {
  joinHeaders,
  readBody,
  rejectOnAbort,
  resolveUrl,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.js';

/** Converts an error of undici to one whose code tells what happened: `HTTP 403` if the proxy refused the connection. */
function explain(error: unknown): Error {
  const { message, code, name } = error as NodeJS.ErrnoException;
  const status = /^Proxy .*\((\d{3})\)/.exec(message)?.[1];
  return Object.assign(new Error(message, { cause: error }), {
    code: status !== undefined ? `HTTP ${status}` : code === 'UND_ERR_SOCKET' ? 'ECONNRESET' : (code ?? name),
  });
}

/** Connections to the proxy. After an error of its own, such as a reset, undici would connect again without end. */
class ProxyPool extends undici.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of undici cannot be implemented by one signature
  override connect(...parameters: any[]): any {
    const connected: Promise<unknown> = Reflect.apply(super.connect, this, parameters);
    return connected.catch((error) => {
      throw explain(error);
    });
  }
}

/** Creates a transport through an HTTP proxy, over undici. @param proxy `http://proxy.example:3128` */
export function createProxyTransport(baseUrl: string, proxy: string): Transport {
  const agent = new undici.ProxyAgent({
    uri: proxy,
    clientFactory: (origin, options) => new ProxyPool(origin, options),
    // A tunnel for https only, as in other programs: many proxies refuse one for http.
    proxyTunnel: false,
  });

  async function exchange(request: TransportRequest): Promise<TransportResponse> {
    const { method, headers, signal } = request;
    const response = await undici.request(resolveUrl(baseUrl, request.path), {
      dispatcher: agent,
      method,
      headers,
      body: request.body ?? null,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const { statusCode: status, headers: received, body } = response;
    return { status, headers: joinHeaders(received), body: await readBody(body, baseUrl) };
  }

  async function send(request: TransportRequest): Promise<TransportResponse> {
    const { signal } = request;
    signal.throwIfAborted();
    try {
      // undici heeds the signal of a request only once it is connected.
      return await Promise.race([exchange(request), rejectOnAbort(signal)]);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ProtocolError ? error : explain(error);
    }
  }

  return { url: baseUrl, proxy: new URL(proxy).host, send, close: () => agent.destroy() };
}
