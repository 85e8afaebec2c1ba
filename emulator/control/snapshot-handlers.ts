import pLimit from 'p-limit';
import type { Context } from '../operations/context.js';
import { problem } from '../problems/problem.js';
import { type Control, clockOf, emitChange, type Scope, tenantNotFound } from './control.js';
import type { ControlHandlers } from './handler-types.js';
import { discardWarmReactors } from './reset.js';

type SnapshotHandlers = Pick<ControlHandlers, 'snapshots.list' | 'snapshots.save' | 'snapshots.restore'>;

export function snapshotHandlers(control: Control): SnapshotHandlers {
  const { snapshots, store } = control.context;
  // A restore writes the log after the data: the log of one must not follow the data of the next.
  const oneByOne = pLimit(1);
  return {
    'snapshots.list': async ({ tenant }) => ({ snapshots: await snapshots.list(tenant) }),
    async 'snapshots.save'({ tenant, body }) {
      const now = new Date(clockOf(control, tenant).now());
      const info = await snapshots.save(body.name, now, tenant);
      if (tenant === undefined || (await store.get('tenants', tenant, tenant))) return info;
      // The tenant was deleted, and its snapshots with it, before this one was stored.
      await snapshots.removeAll(tenant);
      throw tenantNotFound();
    },
    async 'snapshots.restore'({ tenant, path }) {
      if (await oneByOne(() => restoreSnapshot(control, path.name, tenant))) return;
      throw problem('notFound', 'There is no snapshot with this name.');
    },
  };
}

/**
 * Restores a snapshot of a tenant or of everything. Its tenants keep the keys that were printed.
 * @returns false when there is no snapshot of this name.
 */
async function restoreSnapshot(control: Control, name: string, tenantId: Scope): Promise<boolean> {
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
  await context.webhookEvents.refresh();
  await context.webhookQueue.load(tenantId);
}

/** Updates what is derived from the data after the store was replaced as a whole. */
export async function afterDataReplaced({
  context,
  shared,
}: Pick<Control, 'context' | 'shared'>): Promise<void> {
  context.idempotency.clear();
  await shared?.announce('data');
  await context.seeded.reconcile();
  await context.webhookEvents.refresh();
  await context.webhookQueue.load();
}
