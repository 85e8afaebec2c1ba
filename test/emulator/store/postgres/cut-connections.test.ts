import { describe, expect, it } from 'vitest';
import { StartError } from '../../../../emulator/lib/start-error.js';
import { StoreUnavailableError } from '../../../../emulator/store/errors.js';
import type { Store } from '../../../../emulator/store/store.js';
import { DatabaseProxy } from '../../../support/database-proxy.js';
import { hasPostgres, newDatabase, openOnPostgres } from '../../../support/postgres.js';
import { width } from '../../../support/width.js';
import { insert, TENANT, token } from '../contract.js';

/** Messages of the server between two cuts: `npm test` cuts at some of them. */
const STEP = width(17, 1);

/** What uses a connection of each kind. */
const USES: ((store: Store, name: string) => Promise<unknown>)[] = [
  (store, name) => insert(store, token(name)),
  (store, name) => store.get('tokens', TENANT, name),
  (store) => store.find('tokens', { tenantId: TENANT, limit: 1 }),
  (store) => store.copy(() => {}),
  async (store) => store.shared?.updateState('clock', () => 1),
];

// Fault: commit, read | a connection is reset at any message | PostgreSQL
describe.skipIf(!hasPostgres)('a connection that is reset, at whichever message of the server', () => {
  it('fails what was asked, ends no process, and is replaced', async () => {
    const proxy = await DatabaseProxy.start(await newDatabase());
    await (await openOnPostgres(proxy.url)).close();
    const refusals = new Set<unknown>();
    for (let message = 1, isLong = true; isLong; message += STEP) {
      proxy.resetAt(message);
      const store = await openOnPostgres(proxy.url).catch((error: Error) => error);
      if (store instanceof Error) {
        refusals.add(store.constructor);
        continue;
      }
      for (const use of USES)
        await use(store, `t${message}`).catch((error: Error) => refusals.add(error.constructor));
      isLong = !proxy.isResetDue;
      proxy.resetAt(Number.POSITIVE_INFINITY);
      for (const use of USES) await use(store, `after-${message}`);
      // A copy of more records has more messages: the last one would never be reached.
      await store.commit([{ clear: 'everything' }]);
      await store.close();
    }
    // Of a start, and of what a second connection could not do either.
    for (const refusal of refusals) expect([StartError, StoreUnavailableError]).toContain(refusal);
    expect(refusals).toContain(StartError);
  });
});
