import { callControl } from '../api/control-client.js';
import type { ConnectionState } from '../api/event-stream.js';
import { formatOffset, roundOffset } from '../format.js';
import { useClock } from '../hooks/clock.js';
import { useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import type { Tenants } from '../hooks/tenants.js';
import { type Scope, useWorkbench } from '../hooks/workbench.js';
import { Select } from './fields.js';

const STATES: Record<ConnectionState, string> = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'Connection lost, reconnecting …',
};

/** The top of the page: the state of the connection, and the tenant if there are several. */
export function Header({
  state,
  tenants: { names = [], tenant, select },
}: {
  state: ConnectionState;
  tenants: Tenants;
}) {
  return (
    <header class="top">
      <a class="brand" href="#/">
        <span class="mark" aria-hidden="true" />
        tokenctl <span class="quiet">emulator</span>
      </a>
      <p class="status" role="status" data-state={state}>
        {STATES[state]}
      </p>
      {tenant && <Environment />}
      {names.length > 1 && (
        <div class="tenant">
          <label for="tenant">Tenant</label>
          <select
            id="tenant"
            value={tenant?.id ?? ''}
            onChange={({ currentTarget }) => select(currentTarget.value)}
          >
            {names.map(({ id, name }) => (
              <option key={id} value={id} selected={id === tenant?.id}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
    </header>
  );
}

/** What makes the emulator behave unlike a fresh one: a clock that was moved, and faults. */
function Environment() {
  const { value: clock } = useClock();
  const { scope } = useWorkbench();
  const { value: faults, reload } = useResource(() => callControl('faults.list', { tenant: scope }), [scope]);
  useReloadOn(({ kind }) => kind === 'faults' || kind === 'reset', reload);
  const offset = clock ? formatOffset(roundOffset(clock.offset_ms)) : '';
  const count = faults?.faults.length ?? 0;
  return (
    <>
      {(offset || clock?.frozen) && (
        <a class="chip" href="#/clock">
          clock {[offset, clock?.frozen && 'frozen'].filter(Boolean).join(', ')}
        </a>
      )}
      {count > 0 && (
        <a class="chip" data-tone="warn" href="#/faults">
          {count === 1 ? '1 fault' : `${count} faults`}
        </a>
      )}
    </>
  );
}

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
