import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { EventStreams } from '../../../emulator/control/event-stream.js';
import { RequestRecords } from '../../../emulator/services/request-record/request-records.js';

test('events after the end of a stream are not written to it', async () => {
  const records = new RequestRecords();
  const app = Fastify();
  const streams = new EventStreams(records);
  const errors: unknown[] = [];
  app.get('/', (_request, reply) => {
    reply.raw.on('error', (error) => errors.push(error));
    streams.open(reply, 0);
  });
  const response = await fetch(await app.listen({ port: 0 }));
  records.add({ kind: 'reset', time: 'before' });
  streams.endAll();
  records.add({ kind: 'reset', time: 'after' });
  const text = await response.text();
  await app.close();
  expect(text).toContain('before');
  expect(text).not.toContain('after');
  expect(errors).toEqual([]);
});
