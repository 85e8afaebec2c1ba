import { beforeEach, describe, expect, it, vi } from 'vitest';
import { scratchDir } from '../../../support/executable.js';
import { useReceiver } from '../../../support/http-server.js';
import { PATIENCE } from '../../../support/patience.js';
import { controlOf, createReactor, useServer } from '../../../support/test-server.js';

const server = useServer({ dataDir: scratchDir() });
const receiver = useReceiver();
beforeEach(async () => {
  await controlOf(server).post('/reset');
  // Callbacks of the test before may have arrived until now.
  receiver.received = [];
});

async function start(code: string): Promise<void> {
  const id = await createReactor(server, code);
  const body = { callback_url: receiver.url, args: { n: 1 } };
  expect((await server.post(`/reactors/${id}/react`, body)).status).toBe(202);
}

describe('a restart of the emulator', () => {
  it('does not lose a callback that is still to be delivered', async () => {
    receiver.answer = () => 503;
    // No second try before the restart, however slow the machine is.
    server.emulator.clock.freeze();
    await start('module.exports = async (req) => ({ raw: req.args });');
    await receiver.arrived(1);
    receiver.answer = () => 200;
    await server.restart();
    await vi.waitFor(
      () => server.emulator.clock.advance(5_000).then(() => expect(receiver.received).toHaveLength(2)),
      PATIENCE,
    );
    await server.restart();
    await server.emulator.clock.advance(3_600_000);
    expect(receiver.bodies()).toEqual([{ raw: { n: 1 } }, { raw: { n: 1 } }]);
  });

  it('calls back with a failure if the end of the process interrupted an invocation', async () => {
    await start('module.exports = () => new Promise((resolve) => setTimeout(resolve, 9_000));');
    await server.restart();
    await receiver.arrived(1);
    expect(receiver.bodies()).toMatchObject([{ status: 503, title: 'Service Unavailable' }]);
  });
});
