import { problem, validationProblem } from '../problems/problem.js';
import { exportTenant, importTenant, type TenantFile, TenantFileError } from '../store/tenant-file.js';
import { afterDataReplaced, type Control, discardWarmReactors } from './control.js';
import type { ControlHandlers } from './handler.js';

type TenantHandlers = Pick<
  ControlHandlers,
  'tenants.list' | 'tenants.create' | 'tenants.export' | 'tenants.import'
>;

export function tenantHandlers(control: Pick<Control, 'context' | 'shared'>): TenantHandlers {
  const { context } = control;
  const { seeded, store } = context;
  return {
    'tenants.list': () => ({ tenants: [...seeded.list()] }),
    'tenants.create': ({ body }) => seeded.add(body.name),
    async 'tenants.export'({ path }) {
      const file = await exportTenant(store, path.id);
      if (file === undefined) throw problem('notFound', 'There is no tenant with this ID.');
      return file;
    },
    async 'tenants.import'({ body }) {
      await discardWarmReactors(context);
      try {
        await importTenant(store, body as TenantFile);
      } catch (error) {
        if (error instanceof TenantFileError) throw validationProblem({ tenant_file: [error.message] });
        throw error;
      }
      await afterDataReplaced(control);
    },
  };
}
