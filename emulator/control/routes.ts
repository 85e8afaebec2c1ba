import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { LIMITS } from '../../src/contract/limits.js';
import { overviewOf } from '../dashboard/overview.js';
import { problem } from '../problems/problem.js';
import { faultSchema } from '../services/fault-injector.js';
import { changeClock, clockChange, clockState } from './clock.js';
import { type Control, reset } from './control.js';
import { streamEvents } from './event-stream.js';
import { parsed, WITH_BODY } from './parse-body.js';
import { snapshotRoutes } from './snapshot-routes.js';
import { tenantFileRoutes } from './tenant-file-routes.js';

const newTenant = z.strictObject({ name: z.string().min(1).max(LIMITS.nameCharacters) });

/** How many events a query asks for. */
const recentQuery = z.strictObject({ recent: z.coerce.number().int().min(0).max(1000).default(0) });

/** Which tenant the dashboard looks at; the first one by default. */
const overviewQuery = z.strictObject({ tenant: z.string().optional() });

/**
 * `reset`, `clock`, `faults`, `requests`, `traces`, `events`, `snapshots`, `overview`, `tenants`; behind the control
 * token.
 */
export function registerControl(app: FastifyInstance, control: Control): void {
  clockRoutes(app, control);
  faultRoutes(app, control);
  eventRoutes(app, control);
  snapshotRoutes(app, control);
  tenantFileRoutes(app, control);
  app.post('/reset', async (_request, reply) => {
    await reset(control);
    return reply.code(204).send();
  });
  app.get('/overview', (request) => {
    const { tenant } = parsed(overviewQuery, request.query, ['query']);
    return overviewOf(tenant, control.context);
  });
  app.get('/tenants', async () => ({ tenants: control.context.seeded.list() }));
  app.post('/tenants', WITH_BODY, async (request, reply) => {
    const { name } = parsed(newTenant, request.body);
    return reply.code(201).send(await control.context.seeded.add(name));
  });
}

function clockRoutes(app: FastifyInstance, { clock, context }: Control): void {
  app.get('/clock', async () => clockState(clock));
  app.put('/clock', WITH_BODY, async (request) => {
    await changeClock(clock, parsed(clockChange, request.body));
    const state = clockState(clock);
    context.events.emit({ kind: 'clock', time: state.now });
    return state;
  });
}

function faultRoutes(app: FastifyInstance, { faults, clock, context }: Control): void {
  const changed = () => context.events.emit({ kind: 'faults', time: clock.timestamp() });
  app.get('/faults', async () => ({ faults: faults.list() }));
  app.post('/faults', WITH_BODY, async (request, reply) => {
    const fault = faults.add(parsed(faultSchema, request.body));
    changed();
    return reply.code(201).send(fault);
  });
  app.delete('/faults', async (_request, reply) => {
    faults.clear();
    changed();
    return reply.code(204).send();
  });
  app.delete('/faults/:id', async (request, reply) => {
    if (!faults.remove((request.params as { id: string }).id)) {
      throw problem('notFound', 'There is no fault with this id.');
    }
    changed();
    return reply.code(204).send();
  });
}

function eventRoutes(app: FastifyInstance, control: Control): void {
  const { events, traces } = control.context;
  const open = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const end of open) end();
  });
  app.get('/requests', async () => ({
    requests: events.recent().filter(({ kind }) => kind === 'request'),
  }));
  app.get('/traces/:traceId', async (request) => {
    const found = traces.find((request.params as { traceId: string }).traceId);
    if (found.length === 0) throw problem('notFound', 'No invocation of late has this trace id.');
    return { traces: found };
  });
  app.get('/events', (request: FastifyRequest, reply: FastifyReply) => {
    const { recent } = parsed(recentQuery, request.query, ['query']);
    const end = streamEvents(reply, events, recent);
    // One that is asked for while the emulator is being stopped has what has been, and no more.
    if (!control.ready) return end();
    open.add(end);
    reply.raw.on('close', () => open.delete(end));
  });
}
