import type { SharedStore } from '../store/store.js';

/** A value in memory. Processes that share a store have it in common, and keep it there. */
export class SharedValue<Value> {
  current: Value;

  constructor(
    private readonly name: string,
    private readonly initial: Value,
    private readonly shared: Pick<SharedStore, 'readState' | 'updateState'> | undefined,
  ) {
    this.current = initial;
  }

  async change(change: (value: Value) => Value): Promise<void> {
    this.current = this.shared
      ? await this.shared.updateState<Value>(this.name, (state = this.initial) => change(state))
      : change(this.current);
  }

  /** Takes over what another process has stored. */
  async refresh(): Promise<void> {
    this.current = ((await this.shared?.readState(this.name)) as Value | undefined) ?? this.initial;
  }
}
