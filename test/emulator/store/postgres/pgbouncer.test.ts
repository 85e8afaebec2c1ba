import { describe, expect, it, onTestFinished } from 'vitest';
import { hasPgBouncer, startPgBouncer } from '../../../support/pgbouncer.js';
import { Fleet, hasPostgres, newDatabase, openOnPostgres } from '../../../support/postgres.js';

describe.skipIf(!hasPostgres || !hasPgBouncer)('behind PgBouncer', () => {
  it('in session mode, emulators work as without it', async () => {
    const fleet = await Fleet.start(await startPgBouncer(await newDatabase(), 'session'), 2);
    onTestFinished(() => fleet.close());
    const { status, body } = await fleet.callOn(0, 'POST', '/tokens', { body: { type: 'token', data: 1 } });
    expect(status).toBe(201);
    expect((await fleet.callOn(1, 'GET', `/tokens/${body.id}`)).body).toMatchObject({ data: 1 });
    expect((await fleet.callOn(1, 'GET', '/tokens')).body.pagination.total_items).toBe(1);
    expect(fleet.errors).toEqual([]);
  });

  it('in transaction mode, a start says what it needs, be it the first one or not', async () => {
    const database = await newDatabase();
    const url = await startPgBouncer(database, 'transaction');
    const refused = {
      name: 'StartError',
      code: 'store_pooler',
      message: expect.stringContaining('needs sessions'),
    };
    await expect(openOnPostgres(url)).rejects.toMatchObject(refused);
    const direct = await openOnPostgres(database);
    onTestFinished(() => direct.close());
    await expect(openOnPostgres(url)).rejects.toMatchObject(refused);
  });
});
