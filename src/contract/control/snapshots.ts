import * as z from 'zod';
import { timestamp } from '../schemas/common.js';

/** A snapshot name; it is also a file name. */
export const SNAPSHOT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

const SNAPSHOT_NAME_RULE = '1 to 100 characters of A-Z a-z 0-9 . _ -, the first a letter or digit';

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
