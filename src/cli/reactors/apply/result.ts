import type { Change } from '../plan/changes.js';
import type { RemoteState } from './remote-state.js';

/** `created`, `updated` and `deleted` of a dry run say what would have been done. */
export type ReactorStatus = 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';

/** The outcome of one reactor of a plan. */
export interface ReactorResult {
  name: string;
  /** The code, relative to the working directory; absent for a deletion. */
  file?: string | undefined;
  status: ReactorStatus;
  id?: string | undefined;
  /** What the service has now, compared with before. */
  remote: RemoteState;
  /** The reactor was read back from the service and is as planned. */
  verified: boolean;
  changes: Change[];
  /** Only for a dry run. */
  diff?: string | undefined;
  /** SHA-256 of name, code, configuration and application as canonical JSON. */
  hash?: string | undefined;
  code?: { characters: number; minified: boolean } | undefined;
  durationMs: number;
  /** What was thrown, if the status is `failed`. */
  error?: unknown;
}
