import undici from 'undici';
import {
  countBytes,
  resolveUrl,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.js';

function headersOf(raw: Record<string, string | string[] | undefined>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

/** Creates a transport through an HTTP proxy, over undici. @param proxy `http://proxy.example:3128` */
export function createProxyTransport(baseUrl: string, proxy: string): Transport {
  const agent = new undici.ProxyAgent({
    uri: proxy,
    // A tunnel for https only, as in other programs: many proxies refuse one for http.
    proxyTunnel: false,
  });

  async function send(request: TransportRequest): Promise<TransportResponse> {
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
    const count = countBytes(baseUrl);
    const parts: Buffer[] = [];
    for await (const part of response.body) {
      count(part);
      parts.push(part);
    }
    return {
      status: response.statusCode,
      headers: headersOf(response.headers),
      body: Buffer.concat(parts).toString('utf8'),
    };
  }

  return { url: baseUrl, send, close: () => agent.close() };
}
