import type { Context } from '../operations/context.js';
import { deleteTenant, warmReactorsOf } from '../operations/tenants.js';
import { validationProblem } from '../problems/problem.js';
import {
  assertTenantFileExpressions,
  exportTenant,
  importTenant,
  parseTenantFile,
  TenantFileError,
} from '../services/tenant-file.js';
import {
  type Control,
  type ControlHandlers,
  changeClock,
  clockOf,
  emitChange,
  required,
  type Scope,
  tenantNotFound,
} from './control.js';

export const dataHandlers = {
  /** Resets a tenant, or everything, to a fresh start. The tenant, or the first one, keeps its id and keys; the URL stays. */
  async reset({ tenant }, control) {
    await (tenant === undefined ? resetAll(control) : resetTenant(control, tenant));
    emitChange(control, 'reset', tenant);
  },
  'snapshots.list': async ({ tenant }, { context }) => ({ snapshots: await context.snapshots.list(tenant) }),
  async 'snapshots.save'({ tenant, body }, control) {
    const { snapshots, store } = control.context;
    const now = new Date(clockOf(control, tenant).now());
    const info = await snapshots.save(body.name, now, tenant);
    if (tenant === undefined || (await store.get('tenants', tenant, tenant))) return info;
    // The tenant was deleted, and its snapshots with it, before this one was stored.
    await snapshots.removeAll(tenant);
    throw tenantNotFound();
  },
  async 'snapshots.restore'({ tenant, path }, control) {
    const isRestored = await control.context.snapshots.oneByOne(() =>
      restoreSnapshot(control, path.name, tenant),
    );
    required(isRestored, 'There is no snapshot with this name.');
  },
  'tenants.list': (_request, { context }) => ({ tenants: [...context.seeded.credentials.list()] }),
  async 'tenants.create'({ body: { name, from, snapshot } }, { context }) {
    const content =
      snapshot === undefined ? context.store : await context.snapshots.open(snapshot, from ?? '');
    if (!content)
      throw validationProblem({ snapshot: ['must be the name of a snapshot of the tenant from'] });
    const created = await context.seeded.add(
      name,
      from === undefined ? undefined : { tenantId: from, content },
    );
    if (!created) throw validationProblem({ from: ['must be the ID of a tenant'] });
    if (from !== undefined) await context.webhookEvents.refresh();
    return created;
  },
  async 'tenants.delete'({ path: { id } }, { context }) {
    if (!(await context.store.get('tenants', id, id))) throw tenantNotFound();
    await deleteTenant(id, context);
  },
  async 'tenants.export'({ path }, { context }) {
    const file = await exportTenant(context.store, path.id);
    if (file === undefined) throw tenantNotFound();
    return file;
  },
  async 'tenants.import'({ body }, control) {
    const { context } = control;
    try {
      const file = parseTenantFile(body);
      await assertTenantFileExpressions(file);
      await discardWarmReactors(context);
      await importTenant(context.store, file);
    } catch (error) {
      if (error instanceof TenantFileError) throw validationProblem({ tenant_file: [error.message] });
      throw error;
    }
    await afterDataReplaced(control);
  },
} satisfies Partial<ControlHandlers>;

/** Restores a snapshot. Its tenants keep the keys that were printed. @returns false when there is none of this name */
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

async function afterDataReplaced({ context, shared }: Pick<Control, 'context' | 'shared'>): Promise<void> {
  context.idempotency.clear();
  await shared?.announce('data');
  await context.seeded.reconcile();
  await context.webhookEvents.refresh();
  await context.webhookQueue.load();
}

async function resetTenant({ context }: Control, tenantId: string): Promise<void> {
  const { store, seeded, tenantState, webhookEvents } = context;
  const tenant = await store.get('tenants', tenantId, tenantId);
  if (!tenant) throw tenantNotFound();
  const retire = await warmReactorsOf(tenantId, context);
  await seeded.resetTenant(tenant);
  retire();
  await webhookEvents.refresh();
  await tenantState.discard(tenantId);
}

async function resetAll(control: Control): Promise<void> {
  const { context, faults, rateLimiter, shared } = control;
  await changeClock(control, (clock) => clock.reset());
  await context.clocks.clear();
  await faults.clear();
  await context.redirects.clear();
  await rateLimiter?.clear();
  context.idempotency.clear();
  context.records.clear();
  await discardWarmReactors(context);
  await context.seeded.reset();
  await shared?.announce('resets');
  context.webhookEvents.clear();
  await context.webhookEvents.refresh();
  await context.webhookQueue.load();
}

/** Discards the warm instances of the reactors of a tenant, or of all, before their code is replaced. */
async function discardWarmReactors(context: Context, tenantId?: Scope): Promise<void> {
  (await warmReactorsOf(tenantId, context))();
}
