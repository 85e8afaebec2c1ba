import type { Logger } from '../../lib/logger.js';
import { StartError } from '../../lib/start-error.js';
import type { DataKey } from '../../store/data-key.js';
import { nodeFileSystem } from '../../store/files/file-system.js';
import { markMoved } from '../../store/moved-data.js';
import { isEncrypted, isInitialized } from '../../store/store-header.js';
import { ignoreInGit } from '../git-ignore.js';
import { openDirectory } from '../open-directory.js';
import { readState, writeState } from '../state-file.js';
import type { MoveEnd } from './move-end.js';
import { removeSnapshots } from './snapshots.js';

/**
 * Opens a data directory. A new one is encrypted.
 * @param mustExist whether the directory must hold data already
 * @throws StartError `data_dir_locked`, `nothing_to_move`, and what opening a store throws
 */
export async function openDirectoryEnd(
  dataDir: string,
  dataKey: DataKey,
  { mustExist, logger }: { mustExist: boolean; logger: Logger },
): Promise<MoveEnd> {
  const exists = await isInitialized(nodeFileSystem, dataDir);
  if (mustExist && !exists) throw new StartError('nothing_to_move', `There is no data in ${dataDir}.`);
  const withKey = !exists || (await isEncrypted(nodeFileSystem, dataDir));
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
