import { expect, test } from 'vitest';
import { readEvents } from '../../src/client/control.js';
import { startStub } from '../support/http-server.js';

const EVENT = { kind: 'reset', time: '2024-01-01T00:00:00Z' };

/** Reads the recent events of a server that sends this stream. */
async function read(body: string) {
  const stub = await startStub({ headers: { 'content-type': 'text/event-stream' }, body });
  const address = { base_url: stub.url, control_token: 'control' };
  const events: unknown[] = [];
  const { signal } = new AbortController();
  for await (const event of readEvents(address, { recent: 1, follow: false }, signal)) events.push(event);
  return events;
}

test('an event may contain separators of lines that are not those of a stream', async () => {
  const event = { ...EVENT, message: 'one\u2028two\u2029three\u0085four' };
  expect(await read(`event: reset\ndata: ${JSON.stringify(event)}\n\n: live\n\n`)).toEqual([event]);
});

test.each([
  ['is not JSON', 'data: {\n\n'],
  ['is not an object', 'data: null\n\n'],
  ['has no kind', 'data: {"time":"now"}\n\n'],
  ['has a time that is not text', 'data: {"kind":"reset","time":1}\n\n'],
  ['never ends', `data: ${'a'.repeat(2_000_000)}`],
])('an event that %s is an error of the service', async (_what, stream) => {
  await expect(read(stream)).rejects.toMatchObject({ name: 'ProtocolError' });
});
