import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listen, useHttpServer } from './http-server.js';

/** The response to one request; the last one is repeated. */
export interface StubAnswer {
  /** Answers every request of this path and no other; such requests are not recorded. */
  path?: string;
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
  /** Milliseconds before the response is sent. */
  delayMs?: number;
  /** Resets the connection instead of sending a response. */
  reset?: true;
}

interface StubRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Stub {
  url: string;
  requests: StubRequest[];
}

const PROBLEM = { 'content-type': 'application/problem+json' };

/** Returns a problem response (RFC 9457). */
export function problem(status: number, title: string, more: Record<string, unknown> = {}): StubAnswer {
  return {
    status,
    headers: PROBLEM,
    body: { title, status, detail: `${title}.`, instance: 'trace-1', ...more },
  };
}

function createStub(all: readonly StubAnswer[]): { requests: StubRequest[]; handle: RequestListener } {
  const answers = all.filter(({ path }) => path === undefined);
  const requests: StubRequest[] = [];
  const handle: RequestListener = async (request, response) => {
    const { method = '', url = '', headers } = request;
    const ofPath = all.find(({ path }) => path === url);
    const body = await text(request);
    if (!ofPath) requests.push({ method, path: url, headers, body });
    const answer = ofPath ?? answers[Math.min(requests.length, answers.length) - 1] ?? {};
    if (answer.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, answer.delayMs));
    if (answer.reset) return void request.socket.resetAndDestroy();
    const { body: sent } = answer;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof sent === 'string' || sent === undefined ? sent : JSON.stringify(sent));
  };
  return { requests, handle };
}

/** Starts a server with fixed responses until the test ends, for failures that the emulator does not produce. */
export async function startStub(...answers: StubAnswer[]): Promise<Stub & { close(): Promise<void> }> {
  const { requests, handle } = createStub(answers);
  const { host, end: close } = await listen(createServer(handle));
  onTestFinished(close);
  return { url: `http://${host}`, requests, close };
}

/** Provides such a server for the tests of the file or block that calls it. */
export function useStub(...answers: StubAnswer[]): Stub {
  const { requests, handle } = createStub(answers);
  return Object.assign(useHttpServer(handle), { requests });
}
