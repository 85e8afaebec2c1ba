import type { HeaderNames } from '../../src/contract/headers.js';
import type { CallerRegistry } from '../access/caller-registry.js';
import type { Clock } from '../lib/clock.js';
import type { Ids } from '../lib/ids.js';
import type { Logger } from '../lib/logger.js';
import type { NetworkPolicy } from '../sandbox/network/policy.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { AsyncResults } from '../services/async-results.js';
import type { Events } from '../services/events.js';
import type { Idempotency } from '../services/idempotency.js';
import type { ReactorTraces } from '../services/reactor-traces/traces.js';
import type { SeededTenants } from '../services/tenants/seeded-tenants.js';
import type { WebhookEvents } from '../services/webhooks/webhook-events.js';
import type { WebhookQueue } from '../services/webhooks/webhook-queue.js';
import type { WebhookRegistry } from '../services/webhooks/webhook-registry.js';
import type { Store } from '../store/store.js';
import type { Execute } from './call.js';

/** Start options that handlers read. */
export interface ContextOptions {
  /** Prefix of the service's header names. */
  headerPrefix: string;
  /** Monthly active tokens of the billing plan, for the usage report. */
  includedMonthlyTokens: number;
  /** Accepts what current clients send and the specification does not allow. */
  lenient: boolean;
  /** Hosts that reactors and callbacks may connect to. */
  network: NetworkPolicy;
}

/** The services that handlers share. Created once at the start and passed to every handler. */
export interface Context {
  readonly options: ContextOptions;
  readonly headers: HeaderNames;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly store: Store;
  readonly callers: CallerRegistry;
  /** The tenants whose API keys stay printable. */
  readonly seeded: SeededTenants;
  readonly sandbox: Sandbox;
  /** Delivers the results of asynchronous invocations, and the events of webhooks. */
  readonly callbacks: WebhookQueue;
  /** All webhooks, in memory. */
  readonly webhooks: WebhookRegistry;
  readonly webhookEvents: WebhookEvents;
  /** Results of asynchronous invocations that are asked for. */
  readonly results: AsyncResults;
  /** Traces of recent invocations. */
  readonly traces: ReactorTraces;
  /** Handlers that delete tokens discard the stored responses that show them. */
  readonly idempotency: Idempotency;
  /** Read by the dashboard and by `emulator logs`. */
  readonly events: Events;
  /** Executes an operation in-process, for `svc` of reactors. */
  readonly execute: Execute;
}
