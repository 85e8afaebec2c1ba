import { overviewOf } from '../dashboard/overview.js';
import { problem } from '../problems/problem.js';
import { clockHandlers } from './clock-handlers.js';
import { type Control, reset } from './control.js';
import type { EventStreams } from './event-stream.js';
import { faultHandlers } from './fault-handlers.js';
import type { ControlHandlers } from './handler.js';
import { originHandlers } from './origin-handlers.js';
import { snapshotHandlers } from './snapshot-handlers.js';
import { statsHandlers } from './stats-handlers.js';
import { tenantHandlers } from './tenant-handlers.js';

/** Creates the handlers of all control endpoints. */
export function createHandlers(control: Control, streams: EventStreams): ControlHandlers {
  const { context } = control;
  return {
    ...clockHandlers(control),
    ...faultHandlers(control),
    ...snapshotHandlers(control),
    ...originHandlers(control),
    ...statsHandlers(control),
    ...tenantHandlers(control),
    health: () => ({ status: 'ok' }),
    ready() {
      if (!control.ready) throw problem('unavailable', 'The emulator is starting or stopping.');
      return { status: 'ready' };
    },
    async reset() {
      await reset(control);
    },
    overview: ({ query }) => overviewOf(query.tenant, context),
    'requests.list': () => ({
      requests: context.events.recent().filter((event) => event.kind === 'request'),
    }),
    'webhookEvents.list': () => ({ events: [...context.webhookEvents.recent()] }),
    async 'webhookEvents.resend'({ body: { ids, times, shuffle } }) {
      const known = new Set(context.webhookEvents.recent().map(({ id }) => id));
      if (!ids?.every((id) => known.has(id)) && ids !== undefined)
        throw problem('notFound', 'No recent event has this ID.');
      return { deliveries: await context.webhookEvents.resend(ids, times, shuffle) };
    },
    'traces.get'({ path }) {
      const traces = context.traces.find(path.traceId);
      if (traces.length === 0) throw problem('notFound', 'No recent invocation has this trace ID.');
      return { traces };
    },
    events({ query }, reply) {
      streams.open(reply, query.recent);
    },
  };
}
