import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PATIENCE } from '../../../support/patience.js';
import { createReactor } from '../../../support/reactors.js';
import { TestServer } from '../../../support/test-server.js';

let dataDir: string;
let receiver: Server;
let url: string;
let status: number;
let bodies: string[];
let server: TestServer;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'reactors-'));
  status = 204;
  bodies = [];
  receiver = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  server = new TestServer({ dataDir });
  await server.start();
});
afterEach(async () => {
  await server.close();
  receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function restart(): Promise<void> {
  await server.close();
  server = new TestServer({ dataDir });
  await server.start();
}

async function start(code: string): Promise<string | null> {
  const id = await createReactor(server, code);
  const answer = await server.post(`/reactors/${id}/react`, { callback_url: url, args: { n: 1 } });
  expect(answer.status).toBe(202);
  return answer.headers.get('svc-request-id');
}

const delivered = (count: number) => vi.waitFor(() => expect(bodies).toHaveLength(count), PATIENCE);

describe('a restart of the emulator', () => {
  it('does not lose a callback that is still to be delivered', async () => {
    status = 503;
    // No second try before the restart, however slow the machine is.
    server.emulator.clock.freeze();
    await start('module.exports = async (req) => ({ raw: req.args });');
    await delivered(1);
    status = 200;
    await restart();
    await vi.waitFor(
      () => server.emulator.clock.advance(5_000).then(() => expect(bodies).toHaveLength(2)),
      PATIENCE,
    );
    expect(bodies.map((body) => JSON.parse(body))).toEqual([{ raw: { n: 1 } }, { raw: { n: 1 } }]);
    await restart();
    await server.emulator.clock.advance(3_600_000);
    expect(bodies).toHaveLength(2);
  });

  it('calls back with a failure if the end of the process interrupted an invocation', async () => {
    await start('module.exports = () => new Promise((resolve) => setTimeout(resolve, 9_000));');
    await restart();
    await delivered(1);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ status: 503, title: 'Service Unavailable' });
  });

  it('keeps reactors as they were', async () => {
    const id = await createReactor(server, 'module.exports = async (req) => ({ raw: req.configuration });', {
      configuration: { A: 'b' },
    });
    await restart();
    const answer = await server.post(`/reactors/${id}/react`, {});
    expect(answer.body).toEqual({ raw: { A: 'b' } });
  });
});
