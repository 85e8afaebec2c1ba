import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';
import { isProxied, PROXY_METHODS } from '../../src/contract/proxies.js';
import { ProblemError, problem } from '../problems/problem.js';
import { pathOf } from './request-path.js';
import type { Step } from './step.js';

/** Rejects a request whose path and method are not those of an operation: 404, 405, or 400 for an undecodable path. */
export const requireOperation: Step = ({ operation, routingError, url }) => {
  if (!operation) throw routingError ?? notFoundProblem(url);
};

const ROUTES = OPERATION_IDS.map((id) => {
  const { path, method } = operationRow(id);
  return { method, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) };
});

/** Returns 405 with `Allow` for the path of an operation or a proxy, 404 otherwise. */
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
