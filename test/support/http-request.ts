import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
  body: any;
}

/** Sends a request with headers that `fetch` does not send, such as `Host`. */
export async function sendRequest(
  base: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<HttpResponse> {
  const { hostname, port } = new URL(base);
  const sent = request({ hostname, port, method, path, headers, agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const content = await text(response);
  const { statusCode = 0, headers: answered } = response;
  return { status: statusCode, headers: answered, body: content ? JSON.parse(content) : undefined };
}
