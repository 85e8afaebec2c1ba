import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sends each request to the next target. */
interface LoadBalancer {
  url: string;
  /** The URLs to send to, in turn. */
  targets: string[];
  /** Requests that each target has answered. */
  answered: Map<string, number>;
  close(): void;
}

export async function startLoadBalancer(): Promise<LoadBalancer> {
  const targets: string[] = [];
  const answered = new Map<string, number>();
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    const target = targets[requests++ % targets.length] ?? '';
    const { method, headers, url } = incoming;
    const forwarded = sendRequest(target + url, { method, headers }, (response) => {
      answered.set(target, (answered.get(target) ?? 0) + 1);
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(forwarded);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, targets, answered, close: () => void server.close() };
}
