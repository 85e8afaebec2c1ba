import { problem } from '../problems/problem.js';
import type { Control } from './control.js';
import type { ControlHandlers } from './handler.js';

type OriginHandlers = Pick<ControlHandlers, 'origins.list' | 'origins.add' | 'origins.remove'>;

export function originHandlers({ origins }: Pick<Control, 'origins'>): OriginHandlers {
  const list = () => ({ origins: origins.list() });
  return {
    'origins.list': list,
    async 'origins.add'({ body }) {
      await origins.add(body.origin);
      return list();
    },
    async 'origins.remove'({ query }) {
      if (!(await origins.remove(query.origin))) throw problem('notFound', 'This origin is not allowed.');
    },
  };
}
