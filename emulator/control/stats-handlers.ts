import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { Health, StoreHealth } from '../../src/contract/control/status.js';
import { problem } from '../problems/problem.js';
import type { Admission } from '../services/admission.js';
import { type ProcessStats, sumStats } from '../services/shared-store/peer-activity.js';
import type { Control } from './control.js';
import type { ControlHandlers } from './handler-types.js';
import { collectMetrics, formatMetrics } from './metrics.js';

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

/** Reads the counters and sizes of this process. */
export function readStats({
  context: { sandbox },
  counters,
}: Pick<Control, 'context' | 'counters'>): ProcessStats {
  const { running, queued, idle } = sandbox.stats();
  return {
    ...counters.requests.read(),
    reactors: { running, queued, idle },
    memory_bytes: process.memoryUsage.rss(),
  };
}

export function statsHandlers(control: Control): Pick<ControlHandlers, 'stats.get'> {
  const { context, dataDir, peers } = control;
  const { store } = context;
  return {
    async 'stats.get'() {
      const [{ total: tokens }, bytes] = await Promise.all([
        store.find('tokens', { limit: 0 }),
        dataDir === undefined ? undefined : diskUsage(dataDir),
      ]);
      return {
        large_requests: largeRequests(context.admission),
        uptime_ms: Math.round(process.uptime() * 1_000),
        ...sumStats([readStats(control), ...(peers?.stats() ?? [])]),
        store: { tokens, ...(bytes !== undefined && { bytes }) },
      };
    },
  };
}

/** Tenants that are listed. */
const MAX_HOLDERS = 5;

function largeRequests({ capacity, holders }: Pick<Admission, 'capacity' | 'holders'>) {
  return {
    held_bytes: holders.reduce((sum, { bytes }) => sum + bytes, 0),
    capacity_bytes: Math.floor(capacity),
    waiting: holders.reduce((sum, { waiting }) => sum + waiting, 0),
    holders: holders
      .slice(0, MAX_HOLDERS)
      .map(({ tenantId, bytes, waiting }) => ({ tenant_id: tenantId, bytes, waiting })),
  };
}

/** Returns the bytes of all files below a directory. A file that is removed in the meantime counts nothing. */
async function diskUsage(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(
        async (entry) => (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0,
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
