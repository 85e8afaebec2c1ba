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
    'faults.list': () => ({ faults: faults.list() }),
    'faults.add'({ body }) {
      const fault = faults.add(body);
      emitChange();
      return fault;
    },
    'faults.clear'() {
      faults.clear();
      emitChange();
    },
    'faults.remove'({ path }) {
      if (!faults.remove(path.id)) throw problem('notFound', 'There is no fault with this ID.');
      emitChange();
    },
  };
}
