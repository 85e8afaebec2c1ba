import { problem } from '../problems/problem.js';
import type { Control } from './control.js';
import type { ControlHandlers } from './handler.js';

type OriginHandlers = Pick<ControlHandlers, 'origins.list' | 'origins.add' | 'origins.remove'>;

export function originHandlers({ origins }: Pick<Control, 'origins'>): OriginHandlers {
  const list = () => ({ origins: origins.list() });
  return {
    'origins.list': list,
    'origins.add'({ body }) {
      origins.add(body.origin);
      return list();
    },
    'origins.remove'({ query }) {
      if (!origins.remove(query.origin)) throw problem('notFound', 'This origin is not allowed.');
    },
  };
}
