import { type Scope, useWorkbench } from '../hooks/workbench.js';
import { Select } from './fields.js';

/** Chooses what a change of the emulator is about, if several tenants share it. */
export function ScopeSwitch() {
  const { isShared, scope, setScope, tenant } = useWorkbench();
  if (!isShared) return null;
  const options: readonly (readonly [Scope, string])[] = [
    ['tenant', `only ${tenant.name}`],
    ['emulator', 'the whole emulator'],
  ];
  return (
    <div class="inline-field">
      <Select
        label="Applies to"
        value={scope === undefined ? 'emulator' : 'tenant'}
        options={options}
        onChange={(value) => setScope(value === 'emulator' ? 'emulator' : 'tenant')}
      />
    </div>
  );
}
