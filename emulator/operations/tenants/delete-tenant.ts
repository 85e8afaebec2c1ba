import type { Context } from '../context.js';
import { transformIds } from '../proxies/transform-ids.js';

/** Deletes a tenant and everything in it. Its keys are unknown from then on. @throws ConflictError when it has been deleted */
export async function deleteTenant(tenantId: string, context: Context): Promise<void> {
  const { store, seeded, snapshots, tenantState } = context;
  const retire = await warmReactorsOf(tenantId, context);
  const seedChanges = await seeded.deletionChanges(tenantId);
  await store.commit([{ require: 'tenants', tenantId }, { clear: 'tenant', tenantId }, ...seedChanges]);
  await seeded.credentials.drop(tenantId);
  await tenantState.discard(tenantId);
  retire();
  await snapshots.removeAll(tenantId);
}

/** Finds the reactors and transforms of a tenant, or of all. @returns a function that discards their warm instances */
export async function warmReactorsOf(
  tenantId: string | undefined,
  { store, sandbox }: Pick<Context, 'store' | 'sandbox'>,
): Promise<() => void> {
  const scope = tenantId === undefined ? {} : { tenantId };
  const [reactors, proxies] = await Promise.all([
    store.find('reactors', scope),
    store.find('proxies', scope),
  ]);
  const ids = [...reactors.records.map(({ id }) => id), ...proxies.records.flatMap(transformIds)];
  return () => {
    for (const id of ids) sandbox.retire(id);
  };
}
