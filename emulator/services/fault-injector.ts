import type { Fault, FaultSpec } from '../../src/contract/control/faults.js';
import type { OperationId } from '../../src/contract/operations.js';
import type { Ids } from '../lib/ids.js';

/** What a request is matched by. */
export interface FaultTarget {
  operation: OperationId | undefined;
  method: string;
  path: string;
}

/** Injects faults into requests, for testing how clients handle them. */
export class FaultInjector {
  readonly #faults = new Map<string, Fault>();
  readonly #ids: Pick<Ids, 'uuid'>;

  constructor(ids: Pick<Ids, 'uuid'>) {
    this.#ids = ids;
  }

  list(): Fault[] {
    return [...this.#faults.values()];
  }

  add(spec: FaultSpec): Fault {
    const fault = { id: this.#ids.uuid(), ...spec };
    this.#faults.set(fault.id, fault);
    return fault;
  }

  /** @returns false when there is no fault with this id */
  remove(id: string): boolean {
    return this.#faults.delete(id);
  }

  clear(): void {
    this.#faults.clear();
  }

  /** Finds the first fault that applies to a request, and counts the request for its `times`. */
  match(request: FaultTarget): Fault | undefined {
    if (this.#faults.size === 0) return undefined;
    const fault = this.list().find(
      (one) => applies(one, request) && (one.rate === undefined || Math.random() < one.rate),
    );
    if (fault?.times !== undefined) this.#countDown(fault, fault.times);
    return fault;
  }

  #countDown(fault: Fault, times: number): void {
    if (times === 1) this.#faults.delete(fault.id);
    else this.#faults.set(fault.id, { ...fault, times: times - 1 });
  }
}

function applies(fault: FaultSpec, { operation, method, path }: FaultTarget): boolean {
  return (
    (fault.operation === undefined || fault.operation === operation) &&
    (fault.method === undefined || fault.method === method) &&
    (fault.path === undefined || path.startsWith(fault.path))
  );
}
