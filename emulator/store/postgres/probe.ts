import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { StoreHealth } from '../../../src/contract/control/status.js';
import type { StoreProbe } from '../store.js';
import { MIGRATIONS } from './migrations.js';

/** Milliseconds after which a database that has not responded counts as unavailable. */
const TIMEOUT_MS = 1_500;

const STATEMENT = {
  name: 'probe',
  text: "SELECT max(version) AS version, current_setting('transaction_read_only') AS read_only FROM tokenctl.migrations",
};

/** Creates the probe of a database. Calls during a probe share its result, so that they take no connections from requests. */
export function postgresProbe(pool: Pick<Pool, 'query'>): StoreProbe {
  let running: Promise<StoreHealth> | undefined;
  return () => {
    running ??= probe(pool).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function probe(pool: Pick<Pool, 'query'>): Promise<StoreHealth> {
  const known = { kind: 'postgres', known_schema_version: MIGRATIONS.length } as const;
  const startedAt = performance.now();
  try {
    const [row] = await Promise.race([ask(pool), rejectLater()]);
    return {
      ...known,
      state: row?.read_only === 'on' ? 'read_only' : 'ok',
      response_ms: Math.round((performance.now() - startedAt) * 10) / 10,
      schema_version: row?.version ?? 0,
    };
  } catch (error) {
    return { ...known, state: 'unavailable', error: (error as NodeJS.ErrnoException).code ?? 'unknown' };
  }
}

interface ProbeRow {
  version: number | null;
  read_only: string;
}

/** A pooled connection may have been lost while it was idle: the second query makes a new one. */
async function ask(pool: Pick<Pool, 'query'>): Promise<ProbeRow[]> {
  const query = () => pool.query<ProbeRow>(STATEMENT);
  return (await query().catch(query)).rows;
}

async function rejectLater(): Promise<never> {
  await delay(TIMEOUT_MS, undefined, { ref: false });
  throw Object.assign(new Error(), { code: 'timeout' });
}
