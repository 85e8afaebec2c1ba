import type { Require } from '../store/store.js';
import type { Call } from './call.js';

/** Returns the condition to commit with every insert: the tenant must still exist. */
export function requireTenant({ tenant }: Pick<Call, 'tenant'>): Require {
  return { require: 'tenants', tenantId: tenant.id };
}
