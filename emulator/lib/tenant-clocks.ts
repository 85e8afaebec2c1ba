import type { AdjustableClock, Clock, ClockSetting } from './clock.js';

export const TENANT_CLOCKS_STATE = 'tenant_clocks';

type Settings = Record<string, ClockSetting>;

interface SharedSettings {
  updateState<T>(name: string, change: (state: T | undefined) => T): Promise<T>;
}

/** Starts the repeating tasks of a clock. @param tenantId undefined for the global clock */
type StartTasks = (clock: Clock, tenantId: string | undefined) => void;

/** The clocks of the tenants: the global one, and once that of a tenant is changed, one that follows it with an offset. */
export class TenantClocks {
  readonly #clocks = new Map<string, AdjustableClock>();
  readonly #startTasks: StartTasks[] = [];
  readonly #replaceListeners: ((tenantId: string) => void)[] = [];

  constructor(
    readonly global: AdjustableClock,
    private readonly shared?: SharedSettings,
  ) {}

  of(tenantId: string): AdjustableClock {
    return this.#clocks.get(tenantId) ?? this.global;
  }

  has(tenantId: string): boolean {
    return this.#clocks.has(tenantId);
  }

  /** Calls a function for the global clock now, and for the clock of a tenant when it gets one. */
  each(start: StartTasks): void {
    this.#startTasks.push(start);
    start(this.global, undefined);
    for (const [tenantId, clock] of this.#clocks) start(clock, tenantId);
  }

  /** Calls a function when a tenant has another clock than before: tasks that wait for the former one must be moved. */
  onReplace(listener: (tenantId: string) => void): void {
    this.#replaceListeners.push(listener);
  }

  /** Changes the clock of a tenant. Resolves when everything that became due in this process has happened. */
  async change(tenantId: string, change: (clock: AdjustableClock) => Promise<void>): Promise<void> {
    let due: Promise<void> | undefined;
    const apply = () => {
      const clock = this.#ensure(tenantId);
      due = change(clock);
      return clock.setting;
    };
    if (!this.shared) apply();
    else
      await this.shared.updateState<Settings>(TENANT_CLOCKS_STATE, (settings = {}) => {
        const current = settings[tenantId];
        if (current) void this.#ensure(tenantId).adopt(current);
        return { ...settings, [tenantId]: apply() };
      });
    await due;
  }

  /** Gives a tenant the global clock again. */
  async remove(tenantId: string): Promise<void> {
    if (!this.has(tenantId)) return;
    this.#drop(tenantId);
    await this.shared?.updateState<Settings>(
      TENANT_CLOCKS_STATE,
      ({ [tenantId]: _removed, ...rest } = {}) => rest,
    );
  }

  /** Gives all tenants the global clock again. */
  async clear(): Promise<void> {
    this.adopt({});
    await this.shared?.updateState<Settings>(TENANT_CLOCKS_STATE, () => ({}));
  }

  /** Takes over the clocks that another process has changed. What becomes due happens in the background. */
  adopt(settings: Readonly<Settings> = {}): void {
    for (const tenantId of [...this.#clocks.keys()]) if (!(tenantId in settings)) this.#drop(tenantId);
    for (const [tenantId, setting] of Object.entries(settings)) void this.#ensure(tenantId).adopt(setting);
  }

  #ensure(tenantId: string): AdjustableClock {
    const known = this.#clocks.get(tenantId);
    if (known) return known;
    const clock = this.global.createFollower();
    this.#clocks.set(tenantId, clock);
    for (const start of this.#startTasks) start(clock, tenantId);
    this.#announceReplaced(tenantId);
    return clock;
  }

  #drop(tenantId: string): void {
    this.#clocks.get(tenantId)?.stop();
    this.#clocks.delete(tenantId);
    this.#announceReplaced(tenantId);
  }

  #announceReplaced(tenantId: string): void {
    for (const listener of this.#replaceListeners) listener(tenantId);
  }
}
