import type { Kind } from '../resources/content.js';
import type { Change } from '../resources/field.js';

/** What the service has of an object after an attempt to change it, compared with before. */
export type RemoteState = 'untouched' | 'written' | 'restored' | 'removed' | 'unknown';

/**
 * The outcome for an object. `skipped`: not attempted, because an object that it depends on failed. `unmanaged`: not
 * declared, listed on request. In a plan, the status says what would be done.
 */
export type ObjectStatus =
  | 'created'
  | 'updated'
  | 'unchanged'
  | 'deleted'
  | 'failed'
  | 'skipped'
  | 'unmanaged';

/** The outcome of one object of a plan. */
export interface ObjectResult {
  kind: Kind;
  name: string;
  /** The code, relative to the working directory. */
  file?: string | undefined;
  status: ObjectStatus;
  id?: string | undefined;
  /** What the service has now, compared with before. */
  remote: RemoteState;
  /** The object was read back from the service and is as planned. */
  verified: boolean;
  changes: Change[];
  /** How the change weakens security, one sentence each. */
  weakenings: string[];
  /** Only for a plan. */
  diff?: string | undefined;
  /** SHA-256 of the object without the values of its configuration. */
  hash?: string | undefined;
  code?: { characters: number; minified: boolean } | undefined;
  durationMs: number;
  /** What else is to be said: which version was restored. */
  note?: string | undefined;
  /** Why the object was skipped. */
  reason?: string | undefined;
  /** What was thrown, if the status is `failed`. */
  error?: unknown;
}
