import type { ApplicationType } from '../../../src/contract/permissions.js';
import type { CallerRegistry } from '../../access/caller-registry.js';
import { validationProblem } from '../../problems/problem.js';

/** service-api.md, "Reactor object": "Must be a public or private application type". */
const ACCEPTED_TYPES: readonly ApplicationType[] = ['public', 'private'];

/**
 * Validates the `application` of a request, and returns the reference to store.
 * @throws ProblemError 400 unless it is a live public or private application of the tenant
 */
export function resolveApplication(
  reference: { id: string },
  tenantId: string,
  callers: CallerRegistry,
): { id: string } {
  const id = reference.id.toLowerCase();
  const type = callers.findByApplication(tenantId, id)?.application.type;
  if (type === undefined) {
    throw validationProblem({ 'application.id': ['must be the id of an application of the tenant'] });
  }
  if (!ACCEPTED_TYPES.includes(type)) {
    throw validationProblem({
      'application.id': [`must be a ${ACCEPTED_TYPES.join(' or ')} application; this one is of type ${type}`],
    });
  }
  return { id };
}
