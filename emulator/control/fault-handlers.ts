import { problem } from '../problems/problem.js';
import type { Control } from './control.js';
import type { ControlHandlers } from './handler.js';

type FaultHandlers = Pick<ControlHandlers, 'faults.list' | 'faults.add' | 'faults.clear' | 'faults.remove'>;

export function faultHandlers({
  faults,
  clock,
  context,
}: Pick<Control, 'faults' | 'clock' | 'context'>): FaultHandlers {
  const emitChange = () => context.events.emit({ kind: 'faults', time: clock.timestamp() });
  return {
    'faults.list': () => ({ faults: [...faults.list()] }),
    async 'faults.add'({ body }) {
      const fault = await faults.add(body);
      emitChange();
      return fault;
    },
    async 'faults.clear'() {
      await faults.clear();
      emitChange();
    },
    async 'faults.remove'({ path }) {
      if (!(await faults.remove(path.id))) throw problem('notFound', 'There is no fault with this ID.');
      emitChange();
    },
  };
}
