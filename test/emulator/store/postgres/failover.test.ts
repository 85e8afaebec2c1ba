import { describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseProxy } from '../../../support/database-proxy.js';
import { Fleet, hasPostgres, PostgresServer } from '../../../support/postgres.js';

const WRITERS = 4;
/** Tokens that are created before the primary is killed, and after. */
const CREATES = 40;

// Fault: commit | failover to a standby | PostgreSQL
describe.skipIf(!hasPostgres)('a failover to a synchronous standby under writes', () => {
  it('loses nothing that was acknowledged, and the same emulators go on writing', async () => {
    const primary = await PostgresServer.start();
    const standby = await primary.startStandby();
    onTestFinished(() => standby.stop('crash'));
    const proxy = await DatabaseProxy.start(await primary.createDatabase());
    const fleet = await Fleet.start(proxy.url, 2);
    onTestFinished(() => fleet.close());

    const created: string[] = [];
    const statuses = new Set<number>();
    let goal = CREATES;
    let number = 0;
    const write = async () => {
      while (created.length < goal) {
        number += 1;
        const id = `token-${number}`;
        const { status } = await fleet.call('POST', '/tokens', { body: { id, type: 'token', data: id } });
        statuses.add(status);
        if (status === 201) created.push(id);
      }
    };
    const writeAll = () => Promise.all(Array.from({ length: WRITERS }, write));
    await writeAll();
    goal = Number.POSITIVE_INFINITY;
    const writing = writeAll();
    await primary.stop('crash');
    await standby.query('SELECT pg_promote()');
    proxy.redirect(standby.port);
    goal = created.length + CREATES;
    await writing;

    for (const id of created)
      expect((await fleet.call('GET', `/tokens/${id}`)).body, id).toMatchObject({ id, data: id });
    for (const status of statuses) expect([201, 503]).toContain(status);
    expect(fleet.errors).toEqual([]);
  });
});
