import packageJson from '../../package.json' with { type: 'json' };
import type { Health, StoreHealth } from '../../src/contract/control/status.js';
import { problem } from '../problems/problem.js';
import type { Control } from './control.js';
import type { ControlHandlers } from './handler-types.js';
import { collectMetrics } from './metrics/collect.js';
import { formatMetrics } from './metrics/metric.js';

/** Why requests cannot be served, by the state of the store. With a full disk, reads still can. */
const NOT_READY: Partial<Record<StoreHealth['state'], string>> = {
  unavailable: 'The store cannot be reached.',
  read_only: 'The database is read-only.',
};

/** Creates the handlers of the endpoints that say how this process fares. They answer while the store is away. */
export function probeHandlers(control: Control): Pick<ControlHandlers, 'health' | 'ready' | 'metrics'> {
  const { context, counters, probeStore } = control;
  const health = async (): Promise<Health> => {
    const store = await probeStore();
    return {
      status: store.state === 'ok' ? 'ok' : 'degraded',
      version: packageJson.version,
      uptime_ms: Math.round(process.uptime() * 1_000),
      rate_limit: control.rateLimiter !== undefined,
      store,
    };
  };
  return {
    health,
    async ready() {
      if (!control.ready) throw problem('unavailable', 'The emulator is starting or stopping.');
      const reason = NOT_READY[(await probeStore()).state];
      if (reason !== undefined) throw problem('unavailable', reason);
      return { status: 'ready' };
    },
    async metrics() {
      const state = await health();
      const pendingDeliveries =
        state.store.state === 'unavailable' ? undefined : await countDeliveries(control);
      return formatMetrics(
        collectMetrics({
          ...counters,
          health: state,
          sandbox: context.sandbox.stats(),
          admission: context.admission,
          pendingDeliveries,
        }),
      );
    },
  };
}

async function countDeliveries({ context: { store } }: Control): Promise<number | undefined> {
  const found = await store.find('deliveries', { limit: 0 }).catch(() => undefined);
  return found?.total;
}
