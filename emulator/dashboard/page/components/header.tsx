import type { ConnectionState } from '../api/event-stream.js';
import type { Tenants } from '../hooks/tenants.js';
import { Environment } from './environment.js';

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
