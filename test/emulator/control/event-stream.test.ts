import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { streamEvents } from '../../../emulator/control/event-stream.js';
import { createEvents } from '../../../emulator/services/events.js';

test('events after the end of a stream are not written to it', async () => {
  const events = createEvents();
  const app = Fastify();
  let end = () => {};
  app.get('/', (_request, reply) => {
    end = streamEvents(reply, events, 0);
  });
  const response = await fetch(await app.listen({ port: 0 }));
  events.emit({ kind: 'reset', time: 'before' });
  end();
  events.emit({ kind: 'reset', time: 'after' });
  const text = await response.text();
  await app.close();
  expect(text).toContain('before');
  expect(text).not.toContain('after');
});
