import { expect } from 'vitest';
import type { Credentials, RunningEmulator } from './emulator.js';

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
