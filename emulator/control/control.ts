import type { ClockState } from '../../src/contract/control/clock.js';
import type { PendingDelivery } from '../../src/contract/control/deliveries.js';
import type { AdjustableClock } from '../lib/clock.js';
import type { Context } from '../operations/context.js';
import { warmReactorsOf } from '../operations/tenants/delete-tenant.js';
import { type ProblemError, problem } from '../problems/problem.js';
import type { AllowedOrigins } from '../services/allowed-origins.js';
import type { DeliveryCounters } from '../services/counters/delivery-counters.js';
import type { RequestCounters } from '../services/counters/request-counters.js';
import type { StoreCounters } from '../services/counters/store-counters.js';
import type { FaultInjector } from '../services/fault-injector.js';
import type { RateLimiter } from '../services/rate-limiter.js';
import type { PeerActivity } from '../services/shared-store/peer-activity.js';
import type { SharedState } from '../services/shared-store/shared-state.js';
import type { StoreProbe } from '../store/store-health.js';

/** The parts of the emulator that the control endpoints change. */
export interface Control {
  readonly context: Context;
  readonly clock: AdjustableClock;
  readonly faults: FaultInjector;
  readonly origins: AllowedOrigins;
  readonly counters: Counters;
  readonly probeStore: StoreProbe;
  /** Absent if everything is in memory. */
  readonly dataDir?: string;
  /** Absent with `--no-rate-limit`. */
  readonly rateLimiter?: RateLimiter;
  /** Present when other processes share the store. */
  readonly shared?: SharedState;
  /** What those processes do. */
  peers?: PeerActivity;
  readonly token: string;
  /** False while the emulator starts or stops. */
  ready: boolean;
}

/** What this process has counted since its start. */
export interface Counters {
  readonly requests: RequestCounters;
  readonly commits: StoreCounters;
  readonly deliveries: DeliveryCounters;
}

/** The tenant that a control request is about; undefined for the whole emulator. */
export type Scope = string | undefined;

/** Returns the clock of the scope. */
export function clockOf({ context }: Pick<Control, 'context'>, tenantId: Scope): AdjustableClock {
  return tenantId === undefined ? context.clocks.global : context.clocks.of(tenantId);
}

export function tenantNotFound(): ProblemError {
  return problem('notFound', 'There is no tenant with this ID.');
}

/** Tells that the emulator, or a tenant of it, was changed. */
export function emitChange(
  control: Pick<Control, 'context'>,
  kind: 'clock' | 'faults' | 'reset' | 'snapshot',
  tenantId: Scope,
): void {
  const time = clockOf(control, tenantId).timestamp();
  control.context.events.emit({ kind, time, ...(tenantId !== undefined && { tenant_id: tenantId }) });
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

/**
 * Waits until a list of deliveries is empty.
 * @param waitMs milliseconds of the machine's clock
 * @returns those that are still in it then
 */
export async function waitForDeliveries(
  list: () => Promise<PendingDelivery[]>,
  waitMs: number,
): Promise<PendingDelivery[]> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const deliveries = await list();
    if (deliveries.length === 0 || performance.now() >= deadline) return deliveries;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Resets a tenant, or everything, to a fresh start. The tenant, or the first one, keeps its id and keys; the URL stays. */
export async function reset(control: Control, tenantId: Scope): Promise<void> {
  await (tenantId === undefined ? resetAll(control) : resetTenant(control, tenantId));
  emitChange(control, 'reset', tenantId);
}

async function resetTenant({ context }: Control, tenantId: string): Promise<void> {
  const { store, seeded, tenantState, webhooks } = context;
  const tenant = await store.get('tenants', tenantId, tenantId);
  if (!tenant) throw tenantNotFound();
  const retire = await warmReactorsOf(tenantId, context);
  await seeded.resetTenant(tenant);
  retire();
  await webhooks.refresh();
  await tenantState.discard(tenantId);
}

async function resetAll(control: Control): Promise<void> {
  const { context, faults, rateLimiter, shared } = control;
  await changeClock(control, (clock) => clock.reset());
  await context.clocks.clear();
  await faults.clear();
  await rateLimiter?.clear();
  context.idempotency.clear();
  context.events.clear();
  context.journal.clear();
  context.traces.clear();
  context.accessTraces.clear();
  await discardWarmReactors(context);
  await context.seeded.reset();
  await shared?.announce('resets');
  context.webhookEvents.clear();
  await context.webhooks.refresh();
  await context.callbacks.load();
}

/**
 * Restores a snapshot of a tenant or of everything. Its tenants keep the keys that were printed.
 * @returns false when there is no snapshot of this name.
 */
export async function restoreSnapshot(control: Control, name: string, tenantId: Scope): Promise<boolean> {
  const { context } = control;
  await discardWarmReactors(context, tenantId);
  const log = await context.snapshots.restore(name, tenantId);
  if (log === undefined) return false;
  const update = tenantId === undefined ? afterDataReplaced(control) : afterTenantReplaced(context, tenantId);
  // The audit log comes last: no request waits for it.
  await update.finally(() => context.store.record(log));
  emitChange(control, 'snapshot', tenantId);
  return true;
}

async function afterTenantReplaced(context: Context, tenantId: string): Promise<void> {
  context.idempotency.discardForTenant(tenantId);
  await context.seeded.reconcileTenant(tenantId);
  await context.webhooks.refresh();
  await context.callbacks.load(tenantId);
}

/** Updates what is derived from the data after the store was replaced as a whole. */
export async function afterDataReplaced({
  context,
  shared,
}: Pick<Control, 'context' | 'shared'>): Promise<void> {
  context.idempotency.clear();
  await shared?.announce('data');
  await context.seeded.reconcile();
  await context.webhooks.refresh();
  await context.callbacks.load();
}

/** Discards the warm instances of the reactors of a tenant, or of all, before their code is replaced. */
export async function discardWarmReactors(context: Context, tenantId?: Scope): Promise<void> {
  const retire = await warmReactorsOf(tenantId, context);
  retire();
}
