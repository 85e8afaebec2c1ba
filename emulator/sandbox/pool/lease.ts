import type { Json } from '../../../src/contract/json.js';
import type { Instance } from './instance.js';

/** What an instance is requested for. */
export interface InstanceRequest {
  reactorId: string;
  version: string;
  /** Number of reactors above this one in a chain, each of which holds an instance while it waits. */
  depth: number;
  /** Invocations of different groups take turns while they wait. */
  group: string;
  /** What the request keeps in memory while it waits. */
  args?: Json | undefined;
}

/** An instance bound to one version of one reactor. */
export interface Lease {
  readonly instance: Instance;
  readonly reactorId: string;
  readonly version: string;
  /** True if the code is already loaded. */
  isWarm: boolean;
  /** True if the reactor was changed while the instance was running; it is then not reused. */
  isRetired: boolean;
  idleTimer?: NodeJS.Timeout | undefined;
}
