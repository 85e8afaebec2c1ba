import type { HeaderNames } from '../../src/contract/headers.js';
import type { CallerRegistry } from '../access/caller-registry.js';
import type { Clock } from '../lib/clock.js';
import type { Ids } from '../lib/ids.js';
import type { Logger } from '../lib/logger.js';
import type { NetworkPolicy } from '../sandbox/network/policy.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Events } from '../services/events.js';
import type { Idempotency } from '../services/idempotency.js';
import type { ReactorTraces } from '../services/reactor-traces/traces.js';
import type { SeededTenants } from '../services/tenants/seeded-tenants.js';
import type { WebhookQueue } from '../services/webhooks/webhook-queue.js';
import type { Store } from '../store/store.js';
import type { Execute } from './handler.js';

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
  readonly callers: CallerRegistry;
  /** The tenants whose keys stay printable. */
  readonly seeded: SeededTenants;
  readonly sandbox: Sandbox;
  /** Delivers the results of asynchronous invocations. */
  readonly callbacks: WebhookQueue;
  /** What reactors did of late. */
  readonly traces: ReactorTraces;
  /** For what removes tokens: the stored answers that show them go too. */
  readonly idempotency: Idempotency;
  /** What the dashboard and `emulator logs` watch. */
  readonly events: Events;
  /** For `svc` of reactors: an operation as another caller. */
  readonly execute: Execute;
}
