import { request } from 'undici';

interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
  body: any;
}

/** Sends a request with headers that `fetch` does not send, such as `Host`. */
export async function sendRequest(
  origin: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<HttpResponse> {
  const answer = await request(origin + path, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, body: text ? JSON.parse(text) : undefined };
}
