import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { StoreProbe } from '../store.js';
import { withLiveConnection } from './connection.js';
import { MIGRATIONS } from './migrations.js';

/** Milliseconds after which a database that has not responded counts as unavailable. */
const TIMEOUT_MS = 1_500;

const STATEMENT = {
  name: 'probe',
  text: "SELECT max(version) AS version, current_setting('transaction_read_only') AS read_only FROM tokenctl.migrations",
};

type Answer = { rows: { version: number | null; read_only: string }[] };

/** Creates the probe of a database. Those that come during a query share it: they take no connections from requests. */
export function postgresProbe(pool: Pool): StoreProbe {
  let running: Promise<Answer> | undefined;
  const ask = (): Promise<Answer> => {
    running ??= withLiveConnection<Answer>(() => pool.query(STATEMENT)).finally(() => {
      running = undefined;
    });
    return running;
  };
  return async () => {
    const known = { kind: 'postgres', known_schema_version: MIGRATIONS.length } as const;
    const startedAt = performance.now();
    try {
      const silence = delay(TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw Object.assign(new Error(), { code: 'timeout' });
      });
      const { rows } = await Promise.race([ask(), silence]);
      return {
        ...known,
        state: rows[0]?.read_only === 'on' ? 'read_only' : 'ok',
        response_ms: Math.round((performance.now() - startedAt) * 10) / 10,
        schema_version: rows[0]?.version ?? 0,
      };
    } catch (error) {
      return { ...known, state: 'unavailable', error: (error as NodeJS.ErrnoException).code ?? 'unknown' };
    }
  };
}
