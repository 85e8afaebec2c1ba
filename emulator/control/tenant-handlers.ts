import { deleteTenant } from '../operations/tenants/delete-tenant.js';
import { assertTenantFileExpressions } from '../operations/tenants/tenant-file-expressions.js';
import { validationProblem } from '../problems/problem.js';
import {
  exportTenant,
  importTenant,
  parseTenantFile,
  TenantFileError,
} from '../services/tenant-file/tenant-file.js';
import { type Control, tenantNotFound } from './control.js';
import type { ControlHandlers } from './handler-types.js';
import { discardWarmReactors } from './reset.js';
import { afterDataReplaced } from './snapshot-handlers.js';

type TenantHandlers = Pick<
  ControlHandlers,
  'tenants.list' | 'tenants.create' | 'tenants.delete' | 'tenants.export' | 'tenants.import'
>;

export function tenantHandlers(control: Pick<Control, 'context' | 'shared'>): TenantHandlers {
  const { context } = control;
  const { seeded, store } = context;
  return {
    'tenants.list': () => ({ tenants: [...seeded.credentials.list()] }),
    'tenants.create': ({ body }) => seeded.add(body.name),
    async 'tenants.delete'({ path: { id } }) {
      const tenant = await store.get('tenants', id, id);
      if (!tenant) throw tenantNotFound();
      await deleteTenant(id, context);
    },
    async 'tenants.export'({ path }) {
      const file = await exportTenant(store, path.id);
      if (file === undefined) throw tenantNotFound();
      return file;
    },
    async 'tenants.import'({ body }) {
      try {
        const file = parseTenantFile(body);
        await assertTenantFileExpressions(file);
        await discardWarmReactors(context);
        await importTenant(store, file);
      } catch (error) {
        if (error instanceof TenantFileError) throw validationProblem({ tenant_file: [error.message] });
        throw error;
      }
      await afterDataReplaced(control);
    },
  };
}
