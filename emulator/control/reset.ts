import type { Context } from '../operations/context.js';
import { warmReactorsOf } from '../operations/tenants/delete-tenant.js';
import { type Control, changeClock, emitChange, type Scope, tenantNotFound } from './control.js';

/** Resets a tenant, or everything, to a fresh start. The tenant, or the first one, keeps its id and keys; the URL stays. */
export async function reset(control: Control, tenantId: Scope): Promise<void> {
  await (tenantId === undefined ? resetAll(control) : resetTenant(control, tenantId));
  emitChange(control, 'reset', tenantId);
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
export async function discardWarmReactors(context: Context, tenantId?: Scope): Promise<void> {
  const retire = await warmReactorsOf(tenantId, context);
  retire();
}
