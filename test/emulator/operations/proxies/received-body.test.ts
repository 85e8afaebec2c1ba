import type { ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { startHttpServer } from '../../../support/http-server.js';
import { useServer } from '../../../support/test-server.js';
import { width } from '../../../support/width.js';

const server = useServer();
const MIB = 1024 * 1024;
const whenFull = test.runIf(width(false, true));

/** Starts a destination that responds to `/slow` with 31 MiB but does not end, and to everything else with one byte. */
async function startDestination(): Promise<{ url: string; slow: ServerResponse[] }> {
  const slow: ServerResponse[] = [];
  const url = await startHttpServer(({ url }, response) => {
    if (url !== '/slow') return void response.end('x');
    slow.push(response);
    response.write(Buffer.alloc(31 * MIB));
  });
  return { url, slow };
}

whenFull(
  'large responses of destinations have the share of a tenant together; what goes beyond is 503, and small ones pass',
  async () => {
    // 512 MiB for all, of which a tenant has three quarters.
    if (getHeapStatistics().heap_size_limit < 2_048 * MIB) return;
    const { url, slow } = await startDestination();
    const send = (path: string) =>
      fetch(`${server.emulator.url}/proxy${path}`, {
        headers: { 'svc-api-key': server.emulator.keys.private, 'svc-proxy-url': url },
      });
    const requests = Array.from({ length: 13 }, () => send('/slow'));
    const refused = await Promise.race(requests);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({
      detail: expect.stringContaining('Large requests of this tenant'),
    });
    expect((await send('/small')).status).toBe(200);

    for (const response of slow) response.end();
    const lengths = await Promise.all(
      requests.map(async (request) => {
        const response = await request;
        return response.status === 200 ? (await response.arrayBuffer()).byteLength / MIB : response.status;
      }),
    );
    expect(lengths.sort((a, b) => a - b)).toEqual([...Array(12).fill(31), 503]);

    // What they held is free again.
    const again = Array.from({ length: 12 }, () => send('/slow'));
    await expect.poll(() => slow.length).toBe(25);
    for (const response of slow) response.end();
    for (const request of again) expect((await request).status).toBe(200);
  },
);
