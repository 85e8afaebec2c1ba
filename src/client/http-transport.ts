import * as http from 'node:http';
import { resolveUrl, type Transport, type TransportRequest, type TransportResponse } from './transport.js';

const CONNECTIONS = 64;

function headersOf(message: http.IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

/** The whole answer. Rejects when the connection breaks before its end. */
export function readResponse(message: http.IncomingMessage): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('error', reject);
    message.on('end', () =>
      resolve({
        status: message.statusCode ?? 0,
        headers: headersOf(message),
        body: Buffer.concat(chunks).toString('utf8'),
      }),
    );
  });
}

/**
 * Plain HTTP over Node.js's own client: a command that sends one request starts twice as fast as with undici,
 * whose parser has to be compiled first. https is loaded when the base URL asks for it.
 */
export async function createHttpTransport(baseUrl: string): Promise<Transport> {
  const secure = baseUrl.startsWith('https:');
  const { request: open, Agent } = secure ? await import('node:https') : http;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  function send(request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      const { method, signal, body } = request;
      const headers: http.OutgoingHttpHeaders = { ...request.headers };
      if (body !== undefined) headers['content-length'] = Buffer.byteLength(body);
      const outgoing = open(
        resolveUrl(baseUrl, request.path),
        { method, headers, agent, signal },
        (message) => resolve(readResponse(message)),
      );
      outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : error));
      outgoing.end(body);
    });
  }

  return { url: baseUrl, send, close: async () => agent.destroy() };
}
