import { problem } from '../problems/problem.js';
import { type Control, emitChange } from './control.js';
import type { ControlHandlers } from './handler.js';

type FaultHandlers = Pick<ControlHandlers, 'faults.list' | 'faults.add' | 'faults.clear' | 'faults.remove'>;

export function faultHandlers(control: Pick<Control, 'faults' | 'context'>): FaultHandlers {
  const { faults } = control;
  return {
    'faults.list': ({ tenant }) => ({ faults: [...faults.list(tenant)] }),
    async 'faults.add'({ tenant, body }) {
      const fault = await faults.add(body, tenant);
      emitChange(control, 'faults', tenant);
      return fault;
    },
    async 'faults.clear'({ tenant }) {
      await faults.clear(tenant);
      emitChange(control, 'faults', tenant);
    },
    async 'faults.remove'({ tenant, path }) {
      if (!(await faults.remove(path.id, tenant)))
        throw problem('notFound', 'There is no fault with this ID.');
      emitChange(control, 'faults', tenant);
    },
  };
}
