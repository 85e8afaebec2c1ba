import { defineOperation } from './operation-row.js';

/** Spec, Endpoints, Tenants. The tenant is that of the API key. */
export const tenantOperations = {
  'tenants.get': defineOperation('GET', '/tenants/self', 'tenant:read', {
    summary: 'Get the tenant',
    source: 'specified',
  }),
  'tenants.update': defineOperation('PUT', '/tenants/self', 'tenant:update', {
    summary: 'Update the name and settings of the tenant',
    source: 'specified',
    body: 'json',
  }),
  'tenants.delete': defineOperation('DELETE', '/tenants/self', 'tenant:delete', {
    summary: 'Delete the tenant with its applications, reactors and tokens',
    source: 'specified',
  }),
  'tenants.usage': defineOperation('GET', '/tenants/self/reports/usage', 'report:read', {
    summary: 'Get the usage report',
    source: 'specified',
  }),
};
