import type { Context } from '../operations/context.js';
import { type Control, emitChange, type Scope } from './control.js';
import { discardWarmReactors } from './reset.js';

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
