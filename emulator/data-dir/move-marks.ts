import { StartError } from '../lib/start-error.js';
import type { Change, Store } from '../store/store.js';

/** The setting of a data directory whose data was moved to a database. Its value is the URL, which holds no password. */
const MOVED_DATA = 'moved-data';
/** The setting that a store has while records are moved to it. */
const UNFINISHED_MOVE = 'unfinished-move';

/** The settings that a move itself leaves in a store. */
export const MOVE_MARKS = [UNFINISHED_MOVE, MOVED_DATA];

export const markUnfinished: Change = { insert: 'settings', record: { id: UNFINISHED_MOVE, value: true } };
export const markFinished: Change = { remove: 'settings', tenantId: '', id: UNFINISHED_MOVE };

export const markMoved = (storeUrl: string): Change => ({
  insert: 'settings',
  record: { id: MOVED_DATA, value: storeUrl },
});

export async function isUnfinished(store: Pick<Store, 'get'>): Promise<boolean> {
  return (await store.get('settings', '', UNFINISHED_MOVE)) !== undefined;
}

/** @throws StartError `move_unfinished`: a part of a move is there; `data_moved`: a start would begin with empty data */
export async function assertNotMoved(store: Pick<Store, 'get'>): Promise<void> {
  if (await isUnfinished(store))
    throw new StartError('move_unfinished', 'The store holds a part of a move that was interrupted.');
  const moved = await store.get('settings', '', MOVED_DATA);
  if (moved) throw new StartError('data_moved', `The data of this directory was moved to ${moved.value}.`);
}
