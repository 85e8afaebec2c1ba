import { expect } from 'vitest';
import { MERGE_PATCH_CONTENT_TYPE } from '../../src/contract/headers.js';
import type { Credentials, RunningEmulator } from './emulator.js';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
  body: any;
}

export interface Call {
  body?: unknown;
  /** The seeded application whose key is sent; default `private`. */
  as?: 'private' | 'management' | 'public';
  key?: string;
  idempotencyKey?: string;
  /** Sends the control token in place of an API key. */
  control?: boolean;
}

/** Sends a request to an emulator, whatever the contract says of its answer. */
export async function call(
  { url, keys, controlToken }: Pick<RunningEmulator, 'url' | 'keys' | 'controlToken'>,
  method: string,
  path: string,
  { body, as = 'private', key = keys[as], idempotencyKey, control }: Call = {},
): Promise<Answer> {
  const type = method === 'PATCH' ? MERGE_PATCH_CONTENT_TYPE : 'application/json';
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(control ? { authorization: `Bearer ${controlToken}` } : { 'SVC-API-KEY': key }),
      ...(idempotencyKey !== undefined && { 'SVC-IDEMPOTENCY-KEY': idempotencyKey }),
      ...(body !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
}

/** Creates another tenant of a running emulator, with its seeded applications. */
export async function createTenant(
  { url, controlToken }: Pick<RunningEmulator, 'url' | 'controlToken'>,
  name: string,
): Promise<Credentials> {
  const response = await fetch(`${url}/_emulator/tenants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as Credentials;
}
