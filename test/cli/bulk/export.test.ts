import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenctl } from '../../support/executable.js';
import { startForwarder } from '../../support/forwarder.js';
import { projectDir } from '../../support/project-dir.js';
import { type SharedEmulator, startSharedEmulator } from '../../support/shared-emulator.js';

let emulator: SharedEmulator;
beforeAll(async () => {
  emulator = await startSharedEmulator({ memory: true });
});
afterAll(() => emulator.close());

/** Creates a tenant with tokens whose data is their number. */
async function tenantWith(tokens: number) {
  const target = await emulator.tenant();
  const rows = Array.from({ length: tokens }, (_, data) => `${JSON.stringify({ type: 'token', data })}\n`);
  const cwd = await projectDir({ 'rows.ndjson': rows.join('') });
  await tokenctl(['token', 'import', 'rows.ndjson'], { cwd, env: target.env });
  return { ...target, cwd };
}

describe('token export from a service with rate limits', () => {
  test('sends as many requests as the service accepts, after the first 429', async () => {
    const { cwd, env } = await tenantWith(1_200);
    let window = { endsAt: 0, requests: 0 };
    let refused = 0;
    // Five requests per second; exceeding the limit blocks the client for a second.
    const { url } = await startForwarder(emulator.url, () => {
      const now = performance.now();
      if (now >= window.endsAt) window = { endsAt: now + 1_000, requests: 0 };
      if (++window.requests <= 5) return undefined;
      if (window.requests === 6) window.endsAt = now + 1_000;
      refused++;
      return { status: 429, headers: { 'retry-after': '1' } };
    });
    const ran = await tokenctl(['token', 'export', '--out', 'out.ndjson', '--reveal'], {
      cwd,
      env: { ...env, TOKENCTL_BASE_URL: url },
    });
    const lines = (await readFile(join(cwd, 'out.ndjson'), 'utf8')).trim().split('\n');
    expect([ran.code, new Set(lines.map((line) => JSON.parse(line).data)).size]).toEqual([0, 1_200]);
    expect(lines).toHaveLength(1_200);
    // Those that were in flight when the first one was refused.
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThanOrEqual(4);
    expect(ran.stderr).toContain('Rate limited');
  });

  test('reads a few pages at a time and writes them in order', async () => {
    const { cwd, env } = await tenantWith(1_050);
    const forwarder = await startForwarder(emulator.url, () => undefined);
    const exported = await tokenctl(['token', 'export', '--quiet', '--reveal'], {
      cwd,
      env: { ...env, TOKENCTL_BASE_URL: forwarder.url },
    });
    const listed = await tokenctl(['token', 'list', '--all', '--output', 'ndjson'], { cwd, env });
    const ids = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id);
    expect(ids(exported.stdout)).toEqual(ids(listed.stdout));
    expect(forwarder.maximumInFlight).toBeGreaterThan(1);
    expect(forwarder.maximumInFlight).toBeLessThanOrEqual(4);
  });
});
