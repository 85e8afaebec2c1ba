import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { EmulatorEvent } from '../../../../src/contract/control/events.js';
import type { ConnectionState } from '../api/events.js';
import { formatNumber, formatOffset } from '../format.js';
import { Times, useClock } from '../hooks/clock.js';
import { usePendingDeliveries } from '../hooks/deliveries.js';
import { useControl, useRequests, useWorkbench } from '../hooks/emulator.js';
import type { Tenants } from '../hooks/tenants.js';
import { Field } from './form.js';
import type { NavigationGroup } from './navigation.js';

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

function MovedClock() {
  const { value: clock } = useClock();
  const offset = clock ? formatOffset(clock.offset_ms) : '';
  if (!offset && !clock?.frozen) return null;
  return (
    <a class="badge" href="#/clock">
      clock {[offset, clock?.frozen && 'frozen'].filter(Boolean).join(', ')}
    </a>
  );
}

const changesFaults = ({ kind }: EmulatorEvent) => kind === 'faults' || kind === 'reset';

const useFaults = () =>
  useControl('faults.list', { tenant: useWorkbench().scope }, changesFaults).value?.faults;

const COUNTS: Readonly<Record<string, readonly [what: string, useCount: () => number]>> = {
  requests: ['failed', () => useRequests().filter(({ status }) => status >= 400).length],
  webhooks: ['pending', () => usePendingDeliveries().length],
  faults: ['active', () => useFaults()?.length ?? 0],
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

interface NavigationProps {
  groups: readonly NavigationGroup[];
  current: string;
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
            {links.map(([section, label, , , icon]) => (
              <li key={section}>
                <a href={`#/${section}`} aria-current={section === current ? 'page' : undefined}>
                  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
                    <path d={icon} />
                  </svg>
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

/** What a person chooses about the page, with the choices; the first is the default. */
const CHOICES = { times: ['relative', 'UTC', 'local'], theme: ['system', 'light', 'dark'] };

function usePreference(name: keyof typeof CHOICES) {
  const key = `tokenctl.${name}`;
  const [choice, setChoice] = useState(() => localStorage.getItem(key) ?? CHOICES[name][0] ?? '');
  const set = (next: string) => {
    localStorage.setItem(key, next);
    setChoice(next);
  };
  return [choice, set] as const;
}

/** Shows its content as a person has chosen, and the choices below it. */
export function Preferences({ children }: { children: ComponentChildren }) {
  const [times, setTimes] = usePreference('times');
  const [theme, setTheme] = usePreference('theme');
  useLayoutEffect(() => {
    document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
  }, [theme]);
  return (
    <>
      <Times style={times}>{children}</Times>
      <footer class="row inline">
        <Field label="Show time as" value={times} options={CHOICES.times} onChange={setTimes} />
        <Field label="Theme" value={theme} options={CHOICES.theme} onChange={setTheme} />
      </footer>
    </>
  );
}
