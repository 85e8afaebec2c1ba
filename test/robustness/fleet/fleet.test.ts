import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { hasPostgres, PostgresServer } from '../../support/postgres.js';
import { width } from '../../support/width.js';
import { FleetProcesses } from './processes.js';
import { countCreated, readValue, work } from './workload.js';

const PROCESSES = 3;
/** `FLEET_OPERATIONS` and `FLEET_KILLS` choose other numbers; `npm run test:fleet` does. */
const OPERATIONS = Number(process.env.FLEET_OPERATIONS ?? width(150, 20_000));
const KILLS = Number(process.env.FLEET_KILLS ?? width(2, 50));
/** One kill of this number is one of the database. */
const DATABASE_KILLS = width(2, 10);
const POLL_MS = 20;

it.skipIf(!hasPostgres)(
  'three processes on one PostgreSQL database, killed at any moment: every answer is explained by one order of commits',
  async () => {
    const server = await PostgresServer.start();
    onTestFinished(() => server.stop());
    const fleet = await FleetProcesses.start(await server.createDatabase(), PROCESSES);
    onTestFinished(() => fleet.close());
    const started = performance.now();
    let kills = 0;
    let operations = 0;
    const working = work(fleet, (count) => {
      operations = count;
      return count < OPERATIONS || kills < KILLS;
    });
    for (; kills < KILLS; kills += 1) {
      const next = (OPERATIONS * (kills + Math.random())) / KILLS;
      while (operations < next) await delay(POLL_MS);
      if ((kills + 1) % DATABASE_KILLS === 0) {
        await server.stop('crash');
        await server.resume();
      } else await fleet.replace(kills % PROCESSES);
    }
    const { unexplained, values, keys } = await working;
    console.log(
      `${operations} operations and ${kills} kills in ${Math.round((performance.now() - started) / 1000)} s`,
    );
    expect(unexplained).toEqual([]);
    for (const [id, value] of values) expect(await readValue(fleet, id), id).toBe(value);
    for (const [key, isAnswered] of keys) {
      const created = await countCreated(fleet, key);
      expect(isAnswered ? created === 1 : created <= 1, `${key}: ${created}`).toBe(true);
    }
  },
);
