import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { Health, StoreHealth } from '../../src/contract/control/status.js';
import { problem } from '../problems/problem.js';
import type { Admission } from '../services/admission.js';
import { readStats, sumStats } from '../services/shared-store/peer-activity.js';
import type { Control, ControlHandlers } from './control.js';
import { formatMetrics } from './metrics.js';

/** Why requests cannot be served, by the state of the store. With a full disk, reads still can. */
const NOT_READY: Partial<Record<StoreHealth['state'], string>> = {
  unavailable: 'The store cannot be reached.',
  read_only: 'The database is read-only.',
};

const MAX_HOLDERS = 5;

/** The endpoints that say how this process, or all of them, fare. The probes answer while the store is away. */
export const statsHandlers = {
  health: (_request, control) => healthOf(control),
  async ready(_request, { ready, probeStore }) {
    if (!ready) throw problem('unavailable', 'The emulator is starting or stopping.');
    const reason = NOT_READY[(await probeStore()).state];
    if (reason !== undefined) throw problem('unavailable', reason);
    return { status: 'ready' };
  },
  async metrics(_request, control) {
    const { context, counters } = control;
    const health = await healthOf(control);
    const found =
      health.store.state === 'unavailable'
        ? undefined
        : await context.store.find('deliveries', { limit: 0 }).catch(() => undefined);
    const { admission, sandbox } = context;
    const pendingDeliveries = found?.total;
    return formatMetrics({ ...counters, health, admission, sandbox: sandbox.stats(), pendingDeliveries });
  },
  async 'stats.get'(_request, { context, counters, dataDir, peers }) {
    const [{ total: tokens }, bytes] = await Promise.all([
      context.store.find('tokens', { limit: 0 }),
      dataDir === undefined ? undefined : diskUsage(dataDir),
    ]);
    return {
      large_requests: largeRequests(context.admission),
      uptime_ms: Math.round(process.uptime() * 1_000),
      ...sumStats([readStats(context.sandbox, counters.requests), ...(peers?.stats() ?? [])]),
      store: { tokens, ...(bytes !== undefined && { bytes }) },
    };
  },
} satisfies Partial<ControlHandlers>;

async function healthOf({ probeStore, rateLimiter }: Control): Promise<Health> {
  const store = await probeStore();
  return {
    status: store.state === 'ok' ? 'ok' : 'degraded',
    version: packageJson.version,
    uptime_ms: Math.round(process.uptime() * 1_000),
    rate_limit: rateLimiter !== undefined,
    store,
  };
}

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
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(async ({ parentPath, name }) => {
    const found = await stat(join(parentPath, name)).catch(() => undefined);
    return found?.size ?? 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
