import type { AdjustableClock } from '../lib/clock.js';
import type { Context } from '../operations/context.js';
import type { FaultInjector } from '../services/fault-injector.js';
import type { RateLimiter } from '../services/rate-limiter.js';
import type { Snapshots } from '../store/snapshots.js';

/** What the control endpoints work on. */
export interface Control {
  readonly context: Context;
  readonly clock: AdjustableClock;
  readonly faults: FaultInjector;
  readonly snapshots: Snapshots;
  /** Absent with `--no-rate-limit`. */
  readonly rateLimiter?: RateLimiter;
  readonly token: string;
  /** False until everything is loaded, and once the emulator is being stopped. */
  ready: boolean;
}

/** Back to the state of a fresh start: data, clock, faults, counters, logs. The tenant, its keys and the URL stay. */
export async function reset({ context, clock, faults, rateLimiter }: Control): Promise<void> {
  await clock.reset();
  faults.clear();
  rateLimiter?.clear();
  context.idempotency.clear();
  context.events.clear();
  context.traces.clear();
  await discardWarmReactors(context);
  await context.seeded.reset();
  await context.callbacks.load();
  context.events.emit({ kind: 'reset', time: clock.timestamp() });
}

/** Puts the data back to a snapshot; the printed keys stay the ones of its tenants. Answers false when there is none. */
export async function restoreSnapshot(
  { context, clock, snapshots }: Control,
  name: string,
): Promise<boolean> {
  await discardWarmReactors(context);
  const log = await snapshots.restore(name);
  if (log === undefined) return false;
  // Last, so that writing them keeps nobody waiting.
  await afterDataReplaced(context).finally(() => context.store.record(log));
  context.events.emit({ kind: 'snapshot', time: clock.timestamp() });
  return true;
}

/** After the data has changed behind the handlers' backs. */
export async function afterDataReplaced(context: Context): Promise<void> {
  context.idempotency.clear();
  await context.seeded.reconcile();
  await context.callbacks.load();
}

/** Nothing warm of reactors that are about to be replaced by others. */
export async function discardWarmReactors({ store, sandbox }: Context): Promise<void> {
  const { records } = await store.find('reactors', {});
  for (const { id } of records) sandbox.retire(id);
}
