import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { hasPostgres, PostgresServer } from '../../support/postgres.js';
import { SWEEP_TIMEOUT_MS, width } from '../../support/width.js';
import { isExplained } from './linearizability.js';
import { FleetProcesses } from './processes.js';
import { countCreated, work } from './workload.js';

const PROCESSES = 3;
const OPERATIONS = width(600, 20_000);
const KILLS = width(3, 50);
/** The database is killed once in so many kills. */
const DATABASE_KILLS = width(3, 10);

it.skipIf(!hasPostgres)(
  'three processes on one PostgreSQL database, killed at any moment: every answer is explained by one order of commits',
  {
    timeout: SWEEP_TIMEOUT_MS,
  },
  async () => {
    const server = await PostgresServer.start();
    onTestFinished(() => server.stop());
    const fleet = await FleetProcesses.start(await server.createDatabase(), PROCESSES);
    onTestFinished(() => fleet.close());
    let isDone = false;
    const working = work(fleet, OPERATIONS).finally(() => {
      isDone = true;
    });
    const started = performance.now();
    for (let kill = 1; kill <= KILLS && !isDone; kill += 1) {
      await delay(width(200, 3_000) * (0.5 + Math.random()));
      if (kill % DATABASE_KILLS === 0) {
        await server.stop('crash');
        await server.resume();
      } else await fleet.replace(kill % PROCESSES);
    }
    const history = await working;
    console.log(`${OPERATIONS} operations in ${Math.round((performance.now() - started) / 1000)} s`);
    for (const [id, observed] of history.tokens) expect(isExplained(observed), id).toBe(true);
    for (const [key, isAnswered] of history.keys) {
      const created = await countCreated(fleet, key);
      expect(isAnswered ? created === 1 : created <= 1, `${key}: ${created}`).toBe(true);
    }
  },
);
