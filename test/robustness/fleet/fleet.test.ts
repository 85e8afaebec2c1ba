import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { holds } from '../../support/data-dir.js';
import { hasPostgres, PostgresServer } from '../../support/postgres.js';
import { width } from '../../support/width.js';
import { FleetProcesses } from './processes.js';
import { countCreated, type Findings, readValue, SECRET, work } from './workload.js';

const PROCESSES = 3;
/** `FLEET_OPERATIONS` and `FLEET_KILLS` choose other numbers; `npm run test:fleet` does. */
const OPERATIONS = Number(process.env.FLEET_OPERATIONS ?? width(150, 20_000));
const KILLS = Number(process.env.FLEET_KILLS ?? width(2, 50));
/** One kill of this number is one of the database. */
const DATABASE_KILLS = width(2, 10);
const POLL_MS = 20;

/** Kills while clients work, and checks what they have seen. @returns what they have found */
async function expectOneOrder(
  fleet: FleetProcesses,
  kill: (number: number) => Promise<void>,
): Promise<Findings> {
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
    await kill(kills);
  }
  const findings = await working;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${operations} operations and ${kills} kills in ${seconds} s`);
  expect(findings.unexplained).toEqual([]);
  for (const [id, value] of findings.values) expect(await readValue(fleet, id), id).toBe(value);
  return findings;
}

// Fault: commit, idempotency, start | processes and database killed at any moment | PostgreSQL
it.skipIf(!hasPostgres)(
  'three processes on one PostgreSQL database, killed at any moment: every answer is explained by one order of commits',
  async () => {
    const server = await PostgresServer.start();
    onTestFinished(() => server.stop());
    const fleet = await FleetProcesses.start(PROCESSES, await server.createDatabase());
    const { keys } = await expectOneOrder(fleet, async (number) => {
      if ((number + 1) % DATABASE_KILLS !== 0) return fleet.replace(number % PROCESSES);
      await server.stop('crash');
      await server.resume();
    });
    for (const [key, isAnswered] of keys) {
      const created = await countCreated(fleet, key);
      expect(isAnswered ? created === 1 : created <= 1, `${key}: ${created}`).toBe(true);
    }
  },
);

// Fault: commit, start | killed at any moment | disk
it('a process on a data directory, killed at any moment: so it is, and what was deleted is in no file', async () => {
  const fleet = await FleetProcesses.start(1);
  // Its idempotency keys end with the process: answers with token data must not reach the disk (decisions.md, "Headers").
  const { values } = await expectOneOrder(fleet, () => fleet.replace(0));
  expect(await holds(fleet.directory, SECRET)).toBe(true);
  for (const [id, value] of values)
    if (value === undefined)
      await expect.poll(() => holds(fleet.directory, `${SECRET} of ${id}"`)).toBe(false);
});
