import { diskUsage } from '../data-dir/disk-usage.js';
import type { Control } from './control.js';
import type { ControlHandlers } from './handler.js';

export function statsHandlers({
  context,
  counters,
  dataDir,
}: Pick<Control, 'context' | 'counters' | 'dataDir'>): Pick<ControlHandlers, 'stats.get'> {
  const { store, sandbox } = context;
  return {
    async 'stats.get'() {
      const [{ total: tokens }, bytes] = await Promise.all([
        store.find('tokens', { limit: 0 }),
        dataDir === undefined ? undefined : diskUsage(dataDir),
      ]);
      const { running, queued, idle } = sandbox.stats();
      return {
        uptime_ms: Math.round(process.uptime() * 1_000),
        ...counters.read(),
        reactors: { running, queued, idle },
        store: { tokens, ...(bytes !== undefined && { bytes }) },
        memory_bytes: process.memoryUsage.rss(),
      };
    },
  };
}
