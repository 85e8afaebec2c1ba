import { StartError } from '../lib/start-error.js';
import type { Change, Store } from './store.js';

/** The setting of a data directory whose data was moved to a database. Its value is the URL, which holds no password. */
export const MOVED_DATA = 'moved-data';

export const markMoved = (storeUrl: string): Change => ({
  insert: 'settings',
  record: { id: MOVED_DATA, value: storeUrl },
});

/** @throws StartError `data_moved`: a start would begin with empty data, and a move back would find the directory in use */
export async function assertNotMoved(store: Pick<Store, 'get'>): Promise<void> {
  const moved = await store.get('settings', '', MOVED_DATA);
  if (moved) throw new StartError('data_moved', `The data of this directory was moved to ${moved.value}.`);
}
