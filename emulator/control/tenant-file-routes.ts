import type { FastifyInstance } from 'fastify';
import { problem, validationProblem } from '../problems/problem.js';
import { exportTenant, importTenant, type TenantFile, TenantFileError } from '../store/tenant-file.js';
import { afterDataReplaced, type Control, discardWarmReactors } from './control.js';
import { WITH_BODY } from './parse-body.js';

/** Bytes of a tenant's file; what is larger is better kept as a snapshot. */
const FILE_BYTES = 256 * 1024 * 1024;

/** A whole tenant as one JSON document, out and in. */
export function tenantFileRoutes(app: FastifyInstance, { context }: Control): void {
  app.get('/tenants/:id/file', async (request) => {
    const file = await exportTenant(context.store, (request.params as { id: string }).id);
    if (file === undefined) throw problem('notFound', 'There is no tenant with this id.');
    return file;
  });
  app.put('/tenants/file', { ...WITH_BODY, bodyLimit: FILE_BYTES }, async (request, reply) => {
    await discardWarmReactors(context);
    try {
      await importTenant(context.store, request.body as TenantFile);
    } catch (error) {
      if (error instanceof TenantFileError) throw validationProblem({ tenant_file: [error.message] });
      throw error;
    }
    await afterDataReplaced(context);
    return reply.code(204).send();
  });
}
