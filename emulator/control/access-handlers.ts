import { explainAccess } from '../operations/explain-access.js';
import { problem } from '../problems/problem.js';
import type { Control } from './control.js';
import type { ControlHandlers } from './handler.js';

export function accessHandlers({
  context,
}: Pick<Control, 'context'>): Pick<ControlHandlers, 'access.explain'> {
  return {
    async 'access.explain'({ tenant, path }) {
      const explanation = await explainAccess(path.traceId, context, tenant);
      if (!explanation) throw problem('notFound', 'No recent request has this trace ID.');
      return explanation;
    },
  };
}
