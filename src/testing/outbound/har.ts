import { STATUS_CODES } from 'node:http';
import type { AnsweredCall } from './match.js';

/** A log of requests in the format HTTP Archive 1.2, which browsers and proxies open. */
export interface Har {
  log: { version: '1.2'; creator: { name: string; version: string }; entries: readonly object[] };
}

/** Converts the requests that doubles answered. Their data is not masked. */
export const toHar = (calls: readonly AnsweredCall[]): Har => ({
  log: { version: '1.2', creator: { name: 'tokenctl', version: '1' }, entries: calls.map(toEntry) },
});

const HTTP_VERSION = 'HTTP/1.1';
/** What is not known of a message, as the format says it. */
const UNKNOWN = { cookies: [], headersSize: -1 };

function toEntry({
  method,
  url,
  query,
  headers,
  text,
  response,
  startedAt,
  durationMs,
}: AnsweredCall): object {
  const { status = 200, body } = response;
  const content = typeof body === 'string' || body === undefined ? (body ?? '') : JSON.stringify(body);
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: {
      ...{ method, url, httpVersion: HTTP_VERSION, ...UNKNOWN, bodySize: Buffer.byteLength(text) },
      ...{ headers: pairs(headers), queryString: pairs(query) },
      ...(text !== '' && { postData: { mimeType: headers['content-type'] ?? '', text } }),
    },
    response: {
      ...{ status, statusText: STATUS_CODES[status] ?? '', httpVersion: HTTP_VERSION, ...UNKNOWN },
      ...{ headers: pairs(response.headers ?? {}), redirectURL: '', bodySize: Buffer.byteLength(content) },
      content: { size: Buffer.byteLength(content), mimeType: 'application/json', text: content },
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}

const pairs = (values: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));
