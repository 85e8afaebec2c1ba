import type { WorkingCredentials } from '../../../src/contract/control/state-file.js';
import type { Logger } from '../../lib/logger.js';
import { StartError } from '../../lib/start-error.js';
import { CREDENTIALS_STATE } from '../../services/tenants/seeded-credentials.js';
import type { DataKey } from '../../store/data-key.js';
import { nodeFileSystem } from '../../store/files/file-system.js';
import { withExclusiveStore } from '../../store/postgres/exclusive-store.js';
import type { PostgresOptions } from '../../store/postgres/open-postgres-store.js';
import type { Store } from '../../store/store.js';
import { readHeader } from '../../store/store-header.js';
import { markMoved } from '../move-marks.js';
import { ignoreInGit, openDirectory, readState, writeState } from '../open-directory.js';
import { CONTROL_TOKEN_STATE } from '../state-keeper.js';
import { type MoveEnd, removeSnapshots } from './copy-records.js';

/** Opens a data directory; a new one is encrypted. @throws StartError `nothing_to_move`, and what opening a store throws */
export async function openDirectoryEnd(
  dataDir: string,
  dataKey: DataKey,
  { mustExist, logger }: { mustExist: boolean; logger: Logger },
): Promise<MoveEnd & Pick<Store, 'close'>> {
  const header = await readHeader(nodeFileSystem, dataDir);
  if (mustExist && !header) throw new StartError('nothing_to_move', `There is no data in ${dataDir}.`);
  const withKey = header === undefined || header.key_check !== undefined;
  const options = { purpose: 'moving its data', ...(withKey && { dataKey }) };
  const { store, snapshotStorage } = await openDirectory(dataDir, options, logger);
  return {
    name: dataDir,
    store,
    snapshotStorage,
    async readState() {
      const { control_token: controlToken, tenants = [] } = (await readState(dataDir)) ?? {};
      return { controlToken, tenants };
    },
    async writeState({ controlToken, tenants }) {
      if (controlToken === undefined) return;
      await ignoreInGit(dataDir);
      const [first] = tenants;
      await writeState(dataDir, {
        ...first,
        data_dir: dataDir,
        control_token: controlToken,
        tenants: [...tenants],
      });
    },
    async empty(storeUrl) {
      // The records last: a move that is killed here is repeated only while the source has tenants.
      await removeSnapshots(snapshotStorage);
      await store.commit([{ clear: 'everything' }, markMoved(storeUrl)]);
    },
    close: () => store.close(),
  };
}

/** Opens a database for the length of a task. @throws StartError `store_in_use`, and what opening a store throws */
export function withDatabaseEnd<T>(options: PostgresOptions, task: (database: MoveEnd) => Promise<T>) {
  return withExclusiveStore(options, ({ name, shared, ...opened }) =>
    task({
      ...opened,
      name: `the database ${name}`,
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
        if (controlToken !== undefined)
          await shared.updateState<string>(CONTROL_TOKEN_STATE, () => controlToken);
        await shared.updateState(CREDENTIALS_STATE, () => tenants);
      },
    }),
  );
}
