import type { CallerRegistry } from '../../access/caller-registry.js';
import type { AdjustableClock, ClockSetting } from '../../lib/clock.js';
import { TENANT_CLOCKS_STATE, type TenantClocks } from '../../lib/tenant-clocks.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import type { ProxyRecord } from '../../store/records.js';
import type { SharedStore, Store } from '../../store/store.js';
import type { AllowedOrigins } from '../allowed-origins.js';
import type { FaultInjector } from '../fault-injector.js';
import type { Idempotency } from '../idempotency/idempotency.js';
import type { RequestRecords } from '../request-record/request-records.js';
import type { TenantRedirects } from '../tenant-redirects.js';
import type { SeededTenants } from '../tenants/seeded-tenants.js';
import { DISCARDED_STATE, type Discarded, type TenantState } from '../tenants/tenant-state.js';
import type { EventPublisher } from '../webhooks/event-publisher.js';

const CLOCK_STATE = 'clock';
/** The last time that a start was told to show, in milliseconds since 1970; null if none was. */
const START_TIME_STATE = 'start_time';
const EPOCH_STATE = 'epoch';
const START_CLAIM = 'start';
/** Milliseconds that a start may take before another process stops waiting for it. */
const START_LEASE_MS = 30_000;
const START_RETRY_MS = 100;

/** How often all data was replaced, by a restore or an import, and how often everything was reset. */
type Epoch = { data: number; resets: number };

interface SharedServices {
  store: Pick<Store, 'find'>;
  clock: AdjustableClock;
  clocks: Pick<TenantClocks, 'adopt'>;
  tenantState: Pick<TenantState, 'adopt'>;
  callers: Pick<CallerRegistry, 'load'>;
  webhookEvents: Pick<EventPublisher, 'refresh'>;
  seeded: Pick<SeededTenants, 'credentials'>;
  sandbox: Pick<Sandbox, 'retire'>;
  transformIds(proxy: ProxyRecord): string[];
  idempotency: Pick<Idempotency, 'clear'>;
  records: Pick<RequestRecords, 'clear'>;
  faults: Pick<FaultInjector, 'state'>;
  redirects: Pick<TenantRedirects, 'state'>;
  origins: Pick<AllowedOrigins, 'state' | 'list' | 'add'>;
}

/**
 * Keeps the state in memory equal to what the processes that share the store have decided: applications and their keys,
 * webhooks, clock, faults, redirects, allowed origins, printed credentials, and the code of warm reactors. Each request reads everything
 * else from the store.
 */
export class SharedState {
  #seen = -1;
  #loading: Promise<void> | undefined;
  #epoch: Epoch | undefined;
  /** Revisions of reactors and of the transforms of proxies, by id. */
  #reactors = new Map<string, number>();

  constructor(
    private readonly shared: SharedStore,
    private readonly services: SharedServices,
  ) {}

  /**
   * Joins the other processes: takes over what they have decided, or decides it when this is the first one.
   * @param startTime what the clock was told to show. Another time than that of the last start sets the clock of all
   *   processes; the same time is that of the other processes of a fleet, and leaves it as it is.
   * @param prepare runs in one process at a time
   */
  async join(startTime: number | undefined, prepare: () => Promise<void>): Promise<void> {
    while (!(await this.shared.claim(START_CLAIM, START_LEASE_MS)))
      await new Promise((resolve) => setTimeout(resolve, START_RETRY_MS));
    try {
      const { origins, seeded } = this.services;
      await this.#joinClock(startTime);
      await origins.add(...origins.list());
      await seeded.credentials.state.change((known) => known);
      await this.refresh();
      await prepare();
    } finally {
      await this.shared.release(START_CLAIM);
    }
  }

  async #joinClock(startTime: number | undefined): Promise<void> {
    let isOther = false;
    await this.shared.updateState<number | null>(START_TIME_STATE, (known = null) => {
      isOther = startTime !== undefined && startTime !== known;
      return startTime ?? known;
    });
    const { setting } = this.services.clock;
    await this.shared.updateState<ClockSetting>(CLOCK_STATE, (known) =>
      known === undefined || isOther ? setting : known,
    );
  }

  /** Takes over what any process has changed before the call. */
  async refresh(): Promise<void> {
    const revision = await this.shared.revision();
    while (this.#seen < revision) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
    }
  }

  /** Changes the clock of all processes. Resolves when what became due in this process is done. */
  async changeClock(change: () => Promise<void>): Promise<void> {
    const { clock } = this.services;
    let due: Promise<void> | undefined;
    await this.shared.updateState<ClockSetting>(CLOCK_STATE, (setting) => {
      if (setting) void clock.adopt(setting);
      due = change();
      return clock.setting;
    });
    await due;
  }

  /** Notifies the other processes that all data was replaced, or everything reset. */
  async announce(event: keyof Epoch): Promise<void> {
    this.#epoch = await this.shared.updateState<Epoch>(EPOCH_STATE, (epoch = { data: 0, resets: 0 }) => ({
      ...epoch,
      [event]: epoch[event] + 1,
    }));
  }

  async #load(): Promise<void> {
    const { callers, clock, clocks, faults, origins, redirects, seeded, tenantState, webhookEvents } =
      this.services;
    const revision = await this.shared.revision();
    const read = <T>(name: string) => this.shared.readState(name) as Promise<T | undefined>;
    const [setting, tenantSettings, epoch, discarded] = await Promise.all([
      read<ClockSetting>(CLOCK_STATE),
      read<Record<string, ClockSetting>>(TENANT_CLOCKS_STATE),
      read<Epoch>(EPOCH_STATE),
      read<Discarded>(DISCARDED_STATE),
      ...[faults, redirects, origins].map(({ state }) => state.refresh()),
      seeded.credentials.refresh(),
      callers.load(),
      webhookEvents.refresh(),
      this.#retireChangedReactors(),
    ]);
    // Not awaited: what becomes due is done in the background.
    if (setting) void clock.adopt(setting);
    clocks.adopt(tenantSettings);
    if (epoch) this.#enter(epoch);
    await tenantState.adopt(discarded);
    this.#seen = revision;
  }

  #enter(epoch: Epoch): void {
    const { idempotency, records } = this.services;
    const before = this.#epoch ?? epoch;
    this.#epoch = epoch;
    if (epoch.data !== before.data || epoch.resets !== before.resets) idempotency.clear();
    if (epoch.resets !== before.resets) records.clear();
  }

  async #retireChangedReactors(): Promise<void> {
    const { store, sandbox, transformIds } = this.services;
    const [reactors, proxies] = await Promise.all([store.find('reactors', {}), store.find('proxies', {})]);
    const current = new Map<string, number>();
    for (const { id, revision } of reactors.records) current.set(id, revision);
    for (const proxy of proxies.records)
      for (const id of transformIds(proxy)) current.set(id, proxy.revision);
    for (const [id, revision] of this.#reactors) if (current.get(id) !== revision) sandbox.retire(id);
    this.#reactors = current;
  }
}
