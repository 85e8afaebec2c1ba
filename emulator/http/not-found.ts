import type { Method } from '../../src/contract/operation.js';
import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';
import { ProblemError, problem } from '../problems/problem.js';

const ROUTES = OPERATION_IDS.map((id) => {
  const { path, method } = operationRow(id);
  return { method, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) };
});

/** Methods that a path offers; none for an unknown path. */
function methodsOf(path: string): Method[] {
  return [...new Set(ROUTES.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
}

/** What to answer when no route matched: 405 with `Allow` on a known path, 404 otherwise. */
export function notFoundProblem(url: string): ProblemError {
  const methods = methodsOf(url.split('?', 1)[0] ?? '');
  if (methods.length === 0) return problem('notFound', 'There is nothing at this path.');
  const allow = methods.join(', ');
  return new ProblemError('methodNotAllowed', `The path offers ${allow}.`, { headers: { Allow: allow } });
}
