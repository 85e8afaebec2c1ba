import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, jsonOf } from '../../../contract/json.js';

interface Forwarded {
  id: string;
  type: string;
  /** That of the target; undefined when it does not answer. */
  status: number | undefined;
}

/** Receives events on a free port of this machine and forwards them with their signature. @param report is called for each */
export async function startReceiver(target: URL, report: (event: Forwarded) => void) {
  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = await readBody(request);
    const event = body && parseEvent(body);
    if (!event) return 400;
    const status = await forward(target, request.headers, body);
    report({ ...event, status });
    return status ?? 502;
  };
  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      // The sender broke off.
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Headers of the connection, which are not those of the forwarded request. */
const CONNECTION_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

async function forward(target: URL, headers: IncomingHttpHeaders, body: Buffer): Promise<number | undefined> {
  const forwarded = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name));
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: forwarded.map(([name, value]): [string, string] => [name, String(value)]),
      body: new Uint8Array(body),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

/** Bytes of an event, which holds no data. Every program and page of this machine can send to the address. */
const MAX_EVENT_BYTES = 1_048_576;

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > MAX_EVENT_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** What the id and the type of an event consist of. A line feed could make one look like two in the output. */
const WORD = /^[\w.-]{1,100}$/;

function parseEvent(body: Buffer): { id: string; type: string } | undefined {
  const content = jsonOf(body.toString());
  if (!isObject(content) || !isObject(content.event)) return undefined;
  const { id, type } = content.event;
  const isWord = (value: unknown): value is string => typeof value === 'string' && WORD.test(value);
  return isWord(id) && isWord(type) ? { id, type } : undefined;
}
