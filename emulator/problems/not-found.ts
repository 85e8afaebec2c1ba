import { CONTROL_PREFIX } from '../../src/contract/control/endpoint.js';
import { CONTROL_IDS, controlEndpoint, TENANT_SCOPE } from '../../src/contract/control/endpoints.js';
import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';
import { isProxied, PROXY_METHODS } from '../../src/contract/proxies.js';
import { pathOf } from '../lib/request-path.js';
import { ProblemError, problem } from './problem.js';

const ENDPOINTS = CONTROL_IDS.map(controlEndpoint).flatMap(({ method, path, perTenant }) => [
  { method, path: CONTROL_PREFIX + path },
  ...(perTenant ? [{ method, path: CONTROL_PREFIX + TENANT_SCOPE + path }] : []),
]);

const ROUTES = [...OPERATION_IDS.map(operationRow), ...ENDPOINTS].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Returns 405 with `Allow` for the path of an operation, a proxy or a control endpoint, 404 otherwise. */
export function notFoundProblem(url: string): ProblemError {
  const methods = methodsOf(pathOf(url));
  if (methods.length === 0) return problem('notFound', 'There is nothing at this path.');
  const allow = methods.join(', ');
  return new ProblemError('methodNotAllowed', `The path offers ${allow}.`, { headers: { Allow: allow } });
}

/** The methods that a path offers; empty for an unknown path. */
function methodsOf(path: string): readonly string[] {
  if (isProxied(path)) return PROXY_METHODS;
  return [...new Set(ROUTES.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
}
