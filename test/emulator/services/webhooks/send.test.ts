import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createClock } from '../../../../emulator/lib/clock.js';
import { createLogger } from '../../../../emulator/lib/logger.js';
import { TenantClocks } from '../../../../emulator/lib/tenant-clocks.js';
import { createDelivery } from '../../../../emulator/services/webhooks/delivery-record.js';
import { sendWebhook } from '../../../../emulator/services/webhooks/send.js';
import { headerNames } from '../../../../src/contract/headers.js';

/** An address of this machine that is not loopback; undefined without a network. */
const OWN_ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

let receiver: Server;
let port: number;
let received = 0;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    received += 1;
    request.resume();
    response.end('what it received');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '0.0.0.0', resolve));
  port = (receiver.address() as AddressInfo).port;
});
afterAll(() => void receiver.close());
afterEach(() => {
  received = 0;
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

function resolveTo(...addresses: string[]): void {
  vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, callback: unknown) => {
    const found = addresses.map((address) => ({ address, family: 4 }));
    (callback as (error: null, found: dns.LookupAddress[]) => void)(null, found);
  }) as never);
  syncBuiltinESMExports();
}

const NOW = '2026-01-01T00:00:00.000Z';
const pending = (url: string) => ({
  tenantId: 'tenant',
  reactorId: 'reactor',
  url,
  traceId: 'trace',
  tokenIds: new Set<string>(),
});

function send(url: string): Promise<object> {
  return sendWebhook(
    createDelivery('id', pending(url), NOW),
    undefined,
    'secret',
    AbortSignal.timeout(5_000),
    {
      headers: headerNames('SVC'),
      clocks: new TenantClocks(createClock(createLogger(), 0)),
      redirects: { networkOf: () => ({ mode: 'open' }) },
    },
  );
}

test.runIf(OWN_ADDRESS)('plain HTTP is refused if the name now resolves to another address', async () => {
  resolveTo(OWN_ADDRESS ?? '');
  await expect(send(`http://rebind.test:${port}/`)).rejects.toThrow(/only for loopback/);
  await expect(send(`http://${OWN_ADDRESS}:${port}/`)).rejects.toThrow(/only for loopback/);
  expect(received).toBe(0);
});

test('of several addresses, plain HTTP connects only to those on loopback', async () => {
  resolveTo('192.0.2.1', '127.0.0.1');
  expect(await send(`http://rebind.test:${port}/`)).toEqual({ status: 200 });
});
