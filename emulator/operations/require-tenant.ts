import type { Require } from '../store/store.js';
import type { Call } from './handler.js';

/** To be committed with whatever a call makes: nothing is made for a tenant that was deleted meanwhile. */
export function requireTenant({ tenant }: Pick<Call, 'tenant'>): Require {
  return { require: 'tenants', tenantId: tenant.id };
}
