import type { RunningAddress, StateFile, WorkingCredentials } from '../../src/contract/control/state-file.js';
import type { Logger } from '../lib/logger.js';
import type { MaybePromise } from '../lib/maybe-promise.js';
import { ignoreInGit, readState, writeState } from './open-directory.js';

export const CONTROL_TOKEN_STATE = 'control_token';

/** Keeps the state file up to date. Without a data directory, the state is kept in memory only. */
export class StateKeeper {
  #tenants: readonly WorkingCredentials[];
  #address: RunningAddress | undefined;
  /** Writes run one after another. */
  #writing = Promise.resolve();
  /** The write that has not begun yet: it will contain every change until then. */
  #nextWrite: Promise<void> | undefined;

  private constructor(
    readonly dataDir: string | undefined,
    readonly controlToken: string,
    tenants: readonly WorkingCredentials[],
    private readonly logger: Logger,
  ) {
    this.#tenants = tenants;
  }

  get tenants(): readonly WorkingCredentials[] {
    return this.#tenants;
  }

  /** Reads the state of an earlier start. @param chooseToken returns the control token; `known` is that of the earlier start */
  static async open(
    dataDir: string | undefined,
    logger: Logger,
    chooseToken: (known: string | undefined) => MaybePromise<string>,
  ): Promise<StateKeeper> {
    const state = dataDir === undefined ? undefined : await readState(dataDir);
    if (dataDir !== undefined && state === undefined) await ignoreInGit(dataDir);
    const token = await chooseToken(state?.control_token);
    return new StateKeeper(dataDir, token, state?.tenants ?? [], logger);
  }

  setTenants(tenants: readonly WorkingCredentials[]): Promise<void> {
    this.#tenants = tenants;
    return this.#write();
  }

  /** @param address undefined when the emulator no longer listens */
  setAddress(address: RunningAddress | undefined): Promise<void> {
    this.#address = address;
    return this.#write();
  }

  /** A failed write is only logged: the data itself is already stored, and the state file can be written again. */
  #write(): Promise<void> {
    const { dataDir } = this;
    if (dataDir === undefined) return Promise.resolve();
    this.#nextWrite ??= this.#writing
      .then(() => {
        this.#nextWrite = undefined;
        return writeState(dataDir, this.#state(dataDir));
      })
      .catch(() => this.logger.warn(`The state file in ${dataDir} could not be written; it is out of date.`));
    this.#writing = this.#nextWrite;
    return this.#writing;
  }

  #state(dataDir: string): StateFile {
    const [first] = this.#tenants;
    const { controlToken: control_token } = this;
    return { ...this.#address, ...first, data_dir: dataDir, control_token, tenants: [...this.#tenants] };
  }
}
