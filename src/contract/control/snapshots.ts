import * as z from 'zod';
import { timestamp } from '../schemas/common.js';
import { SNAPSHOT_NAME, SNAPSHOT_NAME_RULE } from './snapshot-name.js';

export const newSnapshot = z.strictObject({
  name: z.string().regex(SNAPSHOT_NAME, `must be ${SNAPSHOT_NAME_RULE}`),
});

/** A named copy of all data. */
export const snapshot = z.strictObject({
  name: z.string(),
  created_at: timestamp,
  /** Live tokens in it. */
  tokens: z.int().min(0),
});

export type SnapshotInfo = z.output<typeof snapshot>;
