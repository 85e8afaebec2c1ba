import { StartError } from '../lib/start-error.js';
import type { Change, Store } from './store.js';

/** The setting that a store has while records are moved to it. */
export const UNFINISHED_MOVE = 'unfinished-move';

export const markUnfinished: Change = { insert: 'settings', record: { id: UNFINISHED_MOVE, value: true } };
export const markFinished: Change = { remove: 'settings', tenantId: '', id: UNFINISHED_MOVE };

export async function isUnfinished(store: Pick<Store, 'get'>): Promise<boolean> {
  return (await store.get('settings', '', UNFINISHED_MOVE)) !== undefined;
}

/** @throws StartError `move_unfinished` when the store holds a part of what was moved to it */
export async function assertFinished(store: Pick<Store, 'get'>): Promise<void> {
  if (!(await isUnfinished(store))) return;
  throw new StartError('move_unfinished', 'The store holds a part of a move that was interrupted.');
}
