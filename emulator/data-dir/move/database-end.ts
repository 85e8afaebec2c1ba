import type { WorkingCredentials } from '../../../src/contract/control/state-file.js';
import type { Logger } from '../../lib/logger.js';
import { CREDENTIALS_STATE } from '../../services/tenants/seeded-credentials.js';
import type { DataKey } from '../../store/data-key.js';
import { openExclusively } from '../../store/postgres/exclusive-store.js';
import type { SharedStore } from '../../store/store.js';
import { CONTROL_TOKEN_STATE } from '../state-keeper.js';
import type { MoveEnd } from './move-end.js';

/** Opens a database. @throws StartError `store_in_use`, and what opening a store throws */
export async function openDatabaseEnd(url: string, dataKey: DataKey, logger: Logger): Promise<MoveEnd> {
  const { name, store, shared, snapshotStorage, empty, close } = await openExclusively({
    url,
    dataKey,
    logger,
  });
  return {
    name: `the database ${name}`,
    store,
    snapshotStorage,
    empty,
    close,
    async readState() {
      const [controlToken, tenants] = await Promise.all([
        shared.readState(CONTROL_TOKEN_STATE),
        shared.readState(CREDENTIALS_STATE),
      ]);
      return {
        controlToken: controlToken as string | undefined,
        tenants: (tenants ?? []) as readonly WorkingCredentials[],
      };
    },
    async writeState({ controlToken, tenants }) {
      if (controlToken !== undefined) await replaceState(shared, CONTROL_TOKEN_STATE, controlToken);
      await replaceState(shared, CREDENTIALS_STATE, tenants);
    },
  };
}

async function replaceState(shared: SharedStore, name: string, state: unknown): Promise<void> {
  await shared.updateState<unknown>(name, () => state);
}
