import type { Fault, FaultSpec } from '../../src/contract/control/faults.js';
import type { OperationId } from '../../src/contract/operations.js';
import type { Ids } from '../lib/ids.js';
import type { MaybePromise } from '../lib/maybe-promise.js';
import type { SharedStore } from '../store/store.js';

/** What a request is matched by. */
export interface FaultTarget {
  operation: OperationId | undefined;
  method: string;
  path: string;
}

interface FaultServices {
  ids: Pick<Ids, 'uuid'>;
  /** Present if the faults are those of several processes. */
  shared?: Pick<SharedStore, 'updateState'> | undefined;
}

/** The name of the faults among the states of a shared store. */
export const FAULTS_STATE = 'faults';

/** Injects faults into requests, for testing how clients handle them. */
export class FaultInjector {
  #faults: readonly Fault[] = [];
  readonly #services: FaultServices;

  constructor(services: FaultServices) {
    this.#services = services;
  }

  list(): readonly Fault[] {
    return this.#faults;
  }

  /** Takes over the faults that another process has stored. */
  adopt(faults: readonly Fault[] = []): void {
    this.#faults = faults;
  }

  async add(spec: FaultSpec): Promise<Fault> {
    const fault = { id: this.#services.ids.uuid(), ...spec };
    await this.#change((faults) => [...faults, fault]);
    return fault;
  }

  /** @returns false when there is no fault with this id */
  async remove(id: string): Promise<boolean> {
    let found = false;
    await this.#change((faults) => {
      found = faults.some((fault) => fault.id === id);
      return faults.filter((fault) => fault.id !== id);
    });
    return found;
  }

  async clear(): Promise<void> {
    await this.#change(() => []);
  }

  /** Finds the first fault that applies to a request, and counts the request for its `times`. */
  match(request: FaultTarget): MaybePromise<Fault | undefined> {
    const fault = find(this.#faults, request);
    if (fault?.times === undefined) return fault;
    if (!this.#services.shared) return this.#use(fault.id);
    return this.#useShared(fault.id);
  }

  /** Counts a request for a fault of this process. */
  #use(id: string): Fault | undefined {
    const fault = this.#faults.find((one) => one.id === id);
    this.#faults = countDown(this.#faults, id);
    return fault;
  }

  /** Counts a request for a fault, unless requests to other processes have used it up. */
  async #useShared(id: string): Promise<Fault | undefined> {
    let used: Fault | undefined;
    await this.#change((faults) => {
      used = faults.find((fault) => fault.id === id);
      return countDown(faults, id);
    });
    return used;
  }

  async #change(change: (faults: readonly Fault[]) => readonly Fault[]): Promise<void> {
    const { shared } = this.#services;
    if (shared)
      this.#faults = await shared.updateState<readonly Fault[]>(FAULTS_STATE, (state = []) => change(state));
    else this.#faults = change(this.#faults);
  }
}

function find(faults: readonly Fault[], request: FaultTarget): Fault | undefined {
  return faults.find((one) => applies(one, request) && (one.rate === undefined || Math.random() < one.rate));
}

/** Takes one from the `times` of a fault, and removes a fault that has none left. */
function countDown(faults: readonly Fault[], id: string): readonly Fault[] {
  return faults.flatMap((fault) => {
    if (fault.id !== id || fault.times === undefined) return [fault];
    return fault.times === 1 ? [] : [{ ...fault, times: fault.times - 1 }];
  });
}

function applies(fault: FaultSpec, { operation, method, path }: FaultTarget): boolean {
  return (
    (fault.operation === undefined || fault.operation === operation) &&
    (fault.method === undefined || fault.method === method) &&
    (fault.path === undefined || path.startsWith(fault.path))
  );
}
