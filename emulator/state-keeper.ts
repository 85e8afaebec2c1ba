import { type Address, readState, type State, writeState } from './state-file.js';
import type { Credentials } from './tenant-seed.js';

/** Keeps the state file up to date; with no data directory it keeps the same in memory. */
export class StateKeeper {
  readonly controlToken: string;
  readonly dataDir: string | undefined;
  #tenants: readonly Credentials[];
  #address: Address | undefined;
  /** Writes follow one another. */
  #writing = Promise.resolve();

  private constructor(dataDir: string | undefined, controlToken: string, tenants: readonly Credentials[]) {
    this.dataDir = dataDir;
    this.controlToken = controlToken;
    this.#tenants = tenants;
  }

  /** Takes over what an earlier start left. @param newToken makes a control token */
  static async open(dataDir: string | undefined, newToken: () => string): Promise<StateKeeper> {
    const state = dataDir === undefined ? undefined : await readState(dataDir);
    return new StateKeeper(dataDir, state?.control_token ?? newToken(), state?.tenants ?? []);
  }

  get tenants(): readonly Credentials[] {
    return this.#tenants;
  }

  setTenants(tenants: readonly Credentials[]): Promise<void> {
    this.#tenants = tenants;
    return this.#write();
  }

  /** @param address undefined when the emulator no longer listens */
  setAddress(address: Address | undefined): Promise<void> {
    this.#address = address;
    return this.#write();
  }

  #write(): Promise<void> {
    const { dataDir } = this;
    if (dataDir === undefined) return Promise.resolve();
    this.#writing = this.#writing.catch(() => {}).then(() => writeState(dataDir, this.#state(dataDir)));
    return this.#writing;
  }

  #state(dataDir: string): State {
    const [first] = this.#tenants;
    const { controlToken: control_token } = this;
    return { ...this.#address, ...first, data_dir: dataDir, control_token, tenants: this.#tenants };
  }
}
