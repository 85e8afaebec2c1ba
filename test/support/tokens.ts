import { expect } from 'vitest';
import type { TestTarget } from './shared-emulator.js';

type Target = Pick<TestTarget, 'env'>;

/** Sends a request with the private key of a tenant and returns the parsed body. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on it.
async function call({ env }: Target, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${env.TOKENCTL_BASE_URL}${path}`, {
    headers: { 'SVC-API-KEY': env.TOKENCTL_PRIVATE_KEY ?? '', 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

/** Creates many tokens with one request. @param tokens bodies of create requests */
export async function createTokens(target: Target, tokens: readonly object[]): Promise<void> {
  await call(target, '/tokenize', tokens);
}

export async function allTokens(target: Target): Promise<{ id: string; metadata: Record<string, string> }[]> {
  const tokens = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data, pagination } = await call(target, `/tokens?size=100&page=${page}`);
    tokens.push(...data);
    pages = pagination.total_pages;
  }
  return tokens;
}
