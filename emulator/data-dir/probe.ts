import { statfs } from 'node:fs/promises';
import type { Presence } from '../store/files/presence.js';
import type { StoreProbe } from '../store/store.js';

/** Creates the probe of a data directory. */
export function directoryProbe(dataDir: string, presence: Presence): StoreProbe {
  return async () => {
    try {
      if (presence.missing() !== undefined) return { kind: 'disk', state: 'unavailable', error: 'ENOENT' };
      const { bavail, bsize } = await statfs(dataDir);
      const free_bytes = bavail * bsize;
      return { kind: 'disk', state: free_bytes === 0 ? 'full' : 'ok', free_bytes };
    } catch (error) {
      return {
        kind: 'disk',
        state: 'unavailable',
        error: (error as NodeJS.ErrnoException).code ?? 'unknown',
      };
    }
  };
}

/** The probe of a store in memory. */
export const memoryProbe: StoreProbe = async () => ({ kind: 'memory', state: 'ok' });
