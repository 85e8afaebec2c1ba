import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ConnectionState } from '../api/events.js';
import { formatNumber, formatOffset, roundOffset } from '../format.js';
import { useClock } from '../hooks/clock.js';
import { usePendingDeliveries } from '../hooks/deliveries.js';
import { type Scope, useControl, useRequests, useWorkbench } from '../hooks/emulator.js';
import type { Tenants } from '../hooks/tenants.js';
import { Field } from './form.js';

const STATES: Record<ConnectionState, string> = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'Connection lost, reconnecting …',
};

interface HeaderProps {
  state: ConnectionState;
  tenants: Tenants;
  children: ComponentChildren;
}

export function Header({ state, tenants, children }: HeaderProps) {
  const { names = [], tenant, select } = tenants;
  return (
    <header class="top">
      <a class="row brand" href="#/">
        <span class="mark" aria-hidden="true" />
        tokenctl <span class="quiet">emulator</span>
      </a>
      <p class="status" role="status" data-state={state}>
        {STATES[state]}
      </p>
      {tenant && <MovedClock />}
      {children}
      {names.length > 1 && (
        <div class="inline">
          <Field
            label="Tenant"
            value={tenant?.id ?? ''}
            options={names.map(({ id, name }) => [id, name])}
            onChange={select}
          />
        </div>
      )}
    </header>
  );
}

/** Says that the clock was moved or is frozen. */
function MovedClock() {
  const { value: clock } = useClock();
  const offset = clock ? formatOffset(roundOffset(clock.offset_ms)) : '';
  if (!offset && !clock?.frozen) return null;
  return (
    <a class="badge" href="#/clock">
      clock {[offset, clock?.frozen && 'frozen'].filter(Boolean).join(', ')}
    </a>
  );
}

function useFaultCount(): number {
  const { scope } = useWorkbench();
  const { value } = useControl(
    'faults.list',
    { tenant: scope },
    ({ kind }) => kind === 'faults' || kind === 'reset',
  );
  return value?.faults.length ?? 0;
}

const COUNTS: Readonly<Record<string, readonly [what: string, useCount: () => number]>> = {
  requests: ['failed', () => useRequests().filter(({ status }) => status >= 400).length],
  webhooks: ['pending', () => usePendingDeliveries().length],
  faults: ['active', useFaultCount],
};

/** How much in a section needs attention; nothing if nothing does. */
function Attention({ section }: { section: string }) {
  const [what, useCount] = COUNTS[section] ?? ['', () => 0];
  const count = useCount();
  return count === 0 ? null : (
    <span class="badge" data-tone="warn">
      {formatNumber(count)} <span class="visually-hidden">{what}</span>
    </span>
  );
}

/** Chooses what a change of the emulator is about, if several tenants share it. */
export function ScopeSwitch() {
  const { isShared, scope, setScope, tenant } = useWorkbench();
  if (!isShared) return null;
  return (
    <div class="inline">
      <Field
        label="Applies to"
        value={scope === undefined ? 'emulator' : 'tenant'}
        options={[
          ['tenant', `only ${tenant.name}`],
          ['emulator', 'the whole emulator'],
        ]}
        onChange={(value) => setScope(value as Scope)}
      />
    </div>
  );
}

/** A group of links to views: a section is the first segment of their routes. */
export type NavigationGroup = readonly [name: string, ...(readonly [section: string, name: string])[]];

interface NavigationProps {
  groups: readonly NavigationGroup[];
  /** The section of the view that is open. */
  current: string;
  /** What needs attention is counted. */
  isCounted: boolean;
}

export function Navigation({ groups, current, isCounted }: NavigationProps) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow page the links are in one row that scrolls.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav ref={nav} class="side" aria-label="Views">
      {groups.map(([name, ...links]) => (
        <div key={name}>
          <p>{name}</p>
          <ul>
            {links.map(([section, label]) => (
              <li key={section}>
                <a href={`#/${section}`} aria-current={section === current ? 'page' : undefined}>
                  {label}
                  {isCounted && <Attention section={section} />}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
