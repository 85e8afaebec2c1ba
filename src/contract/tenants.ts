import { defineOperation } from './operation-row.js';

/** Spec, Endpoints, Tenants. The tenant is that of the API key. */
export const tenantOperations = {
  'tenants.get': defineOperation({
    method: 'GET',
    path: '/tenants/self',
    permission: 'tenant:read',
    summary: 'Get the tenant',
    source: 'specified',
  }),
  'tenants.update': defineOperation({
    method: 'PUT',
    path: '/tenants/self',
    permission: 'tenant:update',
    summary: 'Update the name and settings of the tenant',
    source: 'specified',
    body: 'json',
  }),
  'tenants.delete': defineOperation({
    method: 'DELETE',
    path: '/tenants/self',
    permission: 'tenant:delete',
    summary: 'Delete the tenant with its applications, reactors and tokens',
    success: [204],
    source: 'specified',
  }),
  'tenants.usage': defineOperation({
    method: 'GET',
    path: '/tenants/self/reports/usage',
    permission: 'report:read',
    summary: 'Get the usage report',
    source: 'specified',
  }),
};
