import type { AdjustableClock } from '../lib/clock.js';
import type { Context } from '../operations/context.js';
import { transformIds } from '../operations/proxies/transform.js';
import type { AllowedOrigins } from '../services/allowed-origins.js';
import type { FaultInjector } from '../services/fault-injector.js';
import type { RateLimiter } from '../services/rate-limiter.js';
import type { RequestCounters } from '../services/request-counters.js';
import type { SharedState } from '../services/shared-state.js';
import type { Snapshots } from '../store/snapshots.js';

/** The parts of the emulator that the control endpoints change. */
export interface Control {
  readonly context: Context;
  readonly clock: AdjustableClock;
  readonly faults: FaultInjector;
  readonly snapshots: Snapshots;
  readonly origins: AllowedOrigins;
  readonly counters: RequestCounters;
  /** Absent if everything is in memory. */
  readonly dataDir?: string;
  /** Absent with `--no-rate-limit`. */
  readonly rateLimiter?: RateLimiter;
  /** Present when other processes share the store. */
  readonly shared?: SharedState;
  readonly token: string;
  /** False while the emulator starts or stops. */
  ready: boolean;
}

/** Changes the clock, of all processes if others share the store. */
export async function changeClock(
  { shared }: Pick<Control, 'shared'>,
  change: () => Promise<void>,
): Promise<void> {
  await (shared ? shared.changeClock(change) : change());
}

/** Resets data, clock, faults, counters and logs to a fresh start. The first tenant, its keys and the URL stay. */
export async function reset(control: Control): Promise<void> {
  const { context, clock, faults, rateLimiter, shared } = control;
  await changeClock(control, () => clock.reset());
  await faults.clear();
  await rateLimiter?.clear();
  context.idempotency.clear();
  context.events.clear();
  context.traces.clear();
  await discardWarmReactors(context);
  await context.seeded.reset();
  await shared?.announce('resets');
  context.webhookEvents.clear();
  await context.webhooks.refresh();
  await context.callbacks.load();
  context.events.emit({ kind: 'reset', time: clock.timestamp() });
}

/**
 * Restores a snapshot. Its tenants keep the keys that were printed.
 * @returns false when there is no snapshot of this name.
 */
export async function restoreSnapshot(control: Control, name: string): Promise<boolean> {
  const { context, clock, snapshots } = control;
  await discardWarmReactors(context);
  const log = await snapshots.restore(name);
  if (log === undefined) return false;
  // The audit log comes last: no request waits for it.
  await afterDataReplaced(control).finally(() => context.store.record(log));
  context.events.emit({ kind: 'snapshot', time: clock.timestamp() });
  return true;
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

/** Discards the warm instances of all reactors, before their code is replaced. */
export async function discardWarmReactors({ store, sandbox }: Context): Promise<void> {
  const { records: reactors } = await store.find('reactors', {});
  const { records: proxies } = await store.find('proxies', {});
  for (const id of [...reactors.map((one) => one.id), ...proxies.flatMap(transformIds)]) sandbox.retire(id);
}
