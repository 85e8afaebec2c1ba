import { buildQuery, type Query } from '../../../../src/contract/operation-row.js';
import { RequestError } from './request-error.js';

interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text when it is not JSON; undefined without a body. */
  body: unknown;
  durationMs: number;
}

/** Sends a request. @throws RequestError with status 0 when there is no response */
export async function sendRequest({ method, url, headers, body }: HttpRequest): Promise<HttpResponse> {
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    const durationMs = performance.now() - startedAt;
    return { status: response.status, headers: response.headers, body: parseBody(text), durationMs };
  } catch {
    throw new RequestError(0, 'The emulator does not respond.');
  }
}

function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns a query without the fields of a form that are empty. */
export function formQuery(query: Query = {}): string {
  return buildQuery(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')));
}
