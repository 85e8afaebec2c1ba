import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { problem } from '../problems/problem.js';
import { SNAPSHOT_NAME } from '../store/snapshots.js';
import { type Control, restoreSnapshot } from './control.js';
import { parsed, WITH_BODY } from './parse-body.js';

const newSnapshot = z.strictObject({
  name: z
    .string()
    .regex(SNAPSHOT_NAME, 'must be 1 to 100 characters of A-Z a-z 0-9 . _ -, the first a letter or digit'),
});

/** `snapshots`: save, restore and list copies of everything. */
export function snapshotRoutes(app: FastifyInstance, control: Control): void {
  const { snapshots, clock } = control;
  app.get('/snapshots', async () => ({ snapshots: await snapshots.list() }));
  app.post('/snapshots', WITH_BODY, async (request, reply) => {
    const { name } = parsed(newSnapshot, request.body);
    return reply.code(201).send(await snapshots.save(name, new Date(clock.now())));
  });
  app.post('/snapshots/:name/restore', async (request, reply) => {
    const { name } = request.params as { name: string };
    if (!(await restoreSnapshot(control, name)))
      throw problem('notFound', 'There is no snapshot of this name.');
    return reply.code(204).send();
  });
}
