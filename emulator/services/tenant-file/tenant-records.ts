import type { Records } from '../../store/records.js';
import type { Change, Store } from '../../store/store.js';

/** Whether a record is one of a tenant. A setting of a tenant has the tenant's id in its name. */
export function belongsTo(record: Records[keyof Records], tenantId: string): boolean {
  if ('tenant_id' in record) return record.tenant_id === tenantId;
  return record.id === tenantId || record.id.endsWith(`:${tenantId}`);
}

/** Returns the changes that remove everything of a tenant, the settings about it included. */
export async function clearTenantChanges(store: Pick<Store, 'find'>, tenantId: string): Promise<Change[]> {
  const { records } = await store.find('settings', {});
  const settings = records.filter((setting) => belongsTo(setting, tenantId));
  return [
    { clear: 'tenant', tenantId },
    ...settings.map(({ id }): Change => ({ remove: 'settings', tenantId: '', id })),
  ];
}
