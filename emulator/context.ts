import type { HeaderNames } from '../src/contract/headers.js';
import type { Directory } from './access/directory.js';
import type { Clock } from './clock.js';
import type { Events } from './events.js';
import type { Perform } from './handler.js';
import type { Idempotency } from './http/idempotency.js';
import type { Ids } from './ids.js';
import type { Logger } from './logger.js';
import type { Callbacks } from './resources/reactors/callbacks/callbacks.js';
import type { Traces } from './resources/reactors/trace/traces.js';
import type { NetworkPolicy } from './sandbox/network/policy.js';
import type { Sandbox } from './sandbox/sandbox.js';
import type { SeededTenants } from './seeded-tenants.js';
import type { Store } from './store/store.js';

/** The choices of a start that handlers ask for. */
export interface ContextOptions {
  /** What the service's headers start with. */
  headerPrefix: string;
  /** Shown in the usage report. */
  includedMonthlyTokens: number;
  /** What reactors and callbacks may connect to. */
  network: NetworkPolicy;
}

/** Everything that handlers share: made once at the start, passed to each of them. */
export interface Context {
  readonly options: ContextOptions;
  readonly headers: HeaderNames;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly store: Store;
  readonly directory: Directory;
  /** The tenants whose keys stay printable. */
  readonly seeded: SeededTenants;
  readonly sandbox: Sandbox;
  /** Delivers the results of asynchronous invocations. */
  readonly callbacks: Callbacks;
  /** What reactors did of late. */
  readonly traces: Traces;
  /** For what removes tokens: the stored answers that show them go too. */
  readonly idempotency: Idempotency;
  /** What the dashboard and `emulator logs` watch. */
  readonly events: Events;
  /** For `svc` of reactors: an operation as another caller. */
  readonly perform: Perform;
}
