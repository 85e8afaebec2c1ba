import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { ClockState } from '../../src/contract/control/clock.js';
import type { PendingDelivery } from '../../src/contract/control/deliveries.js';
import type { ControlId } from '../../src/contract/control/endpoints.js';
import type { ControlBody, ControlRequest } from '../../src/contract/control/schemas.js';
import type { AdjustableClock } from '../lib/clock.js';
import type { Context } from '../operations/context.js';
import { type ProblemError, problem } from '../problems/problem.js';
import type { AllowedOrigins } from '../services/allowed-origins.js';
import type { DeliveryCounters, RequestCounters, StoreCounters } from '../services/counters.js';
import type { FaultInjector } from '../services/fault-injector.js';
import type { RateLimiter } from '../services/rate-limiter.js';
import type { PeerActivity } from '../services/shared-store/peer-activity.js';
import type { SharedState } from '../services/shared-store/shared-state.js';
import type { StoreProbe } from '../store/store.js';
import type { EventStreams } from './event-stream.js';

/** Serves a checked request, returns the body of success. @param reply for a response that is not JSON */
type ControlHandler<Id extends ControlId> = (
  request: ControlRequest<Id>,
  control: Control,
  reply: FastifyReply,
) => ControlBody<Id> | Promise<ControlBody<Id>>;

/** The endpoints that have a handler; the page of the dashboard is a file. */
export type HandledId = Exclude<ControlId, 'dashboard'>;

/** A handler for every endpoint of the table; a missing one is a compile error. */
export type ControlHandlers = { readonly [Id in HandledId]: ControlHandler<Id> };

export interface Control {
  readonly context: Context;
  readonly clock: AdjustableClock;
  readonly faults: FaultInjector;
  readonly origins: AllowedOrigins;
  readonly counters: { requests: RequestCounters; commits: StoreCounters; deliveries: DeliveryCounters };
  readonly probeStore: StoreProbe;
  /** Absent if everything is in memory. */
  readonly dataDir?: string;
  readonly rateLimiter?: RateLimiter;
  /** Present when other processes share the store. */
  readonly shared?: SharedState;
  readonly peers?: PeerActivity;
  readonly onStop?: () => void;
  readonly token: string;
  readonly streams: EventStreams;
  /** False while the emulator starts or stops. */
  ready: boolean;
}

/** The tenant that a control request is about; undefined for the whole emulator. */
export type Scope = string | undefined;

export function clockOf({ context }: Pick<Control, 'context'>, tenantId: Scope): AdjustableClock {
  return tenantId === undefined ? context.clocks.global : context.clocks.of(tenantId);
}

export function tenantNotFound(): ProblemError {
  return problem('notFound', 'There is no tenant with this ID.');
}

/** Returns what was found. @throws ProblemError 404 */
export function required<T>(found: T | undefined | false, detail: string): T {
  if (found === undefined || found === false) throw problem('notFound', detail);
  return found;
}

export function emitChange(
  control: Pick<Control, 'context'>,
  kind: 'clock' | 'faults' | 'reset' | 'snapshot',
  tenantId: Scope,
): void {
  const time = clockOf(control, tenantId).timestamp();
  control.context.records.add({ kind, time, ...(tenantId !== undefined && { tenant_id: tenantId }) });
}

/** Changes the clock of a tenant or the global one, of all processes if others share the store. */
export async function changeClock(
  { context, shared }: Pick<Control, 'context' | 'shared'>,
  change: (clock: AdjustableClock) => Promise<void>,
  tenantId?: Scope,
): Promise<void> {
  const { clocks } = context;
  if (tenantId !== undefined) return clocks.change(tenantId, change);
  const changeGlobal = () => change(clocks.global);
  await (shared ? shared.changeClock(changeGlobal) : changeGlobal());
}

export function clockState(clock: AdjustableClock): ClockState {
  return { now: clock.timestamp(), frozen: clock.frozen, offset_ms: clock.offset };
}

/** Milliseconds between two looks at the deliveries. */
const POLL_MS = 10;

/** Waits until a list of deliveries is empty, at most `waitMs` of the machine's clock. @returns those that are left */
export async function waitForDeliveries(list: () => Promise<PendingDelivery[]>, waitMs: number) {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const deliveries = await list();
    if (deliveries.length === 0 || performance.now() >= deadline) return deliveries;
    await delay(POLL_MS);
  }
}
