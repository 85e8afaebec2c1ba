import type { Fault, FaultSpec } from '../../src/contract/control/faults.js';
import type { OperationId } from '../../src/contract/operations.js';
import type { Ids } from '../lib/ids.js';
import { andThen, type MaybePromise } from '../lib/maybe-promise.js';
import { validationProblem } from '../problems/problem.js';
import type { SharedStore } from '../store/store.js';
import { SharedValue } from './shared-value.js';

/** At a time: every request looks through them. */
const MAX_FAULTS = 100;

interface FaultTarget {
  /** Finds the tenant of the request. Called if there are faults of single tenants. */
  tenantId(): MaybePromise<string | undefined>;
  operation: OperationId | undefined;
  method: string;
  path: string;
}

export class FaultInjector {
  readonly state: SharedValue<readonly Fault[]>;

  /** @param shared present if the faults are those of several processes */
  constructor(
    private readonly ids: Pick<Ids, 'uuid'>,
    shared?: SharedStore,
  ) {
    this.state = new SharedValue('faults', [], shared);
  }

  list(tenantId?: string): readonly Fault[] {
    return this.state.current.filter((fault) => isIn(fault, tenantId));
  }

  /** @param tenantId undefined for the requests of all tenants @throws ProblemError 400 there are as many as there may be */
  async add(spec: FaultSpec, tenantId?: string): Promise<Fault> {
    const id = this.ids.uuid();
    const fault = { id, ...(tenantId !== undefined && { tenant_id: tenantId }), ...spec };
    await this.state.change((faults) => {
      if (faults.length >= MAX_FAULTS)
        throw validationProblem({ faults: [`must be at most ${MAX_FAULTS}: remove one first`] });
      return [...faults, fault];
    });
    return fault;
  }

  async remove(id: string, tenantId?: string): Promise<boolean> {
    let found = false;
    await this.state.change((faults) => {
      const removed = faults.find((fault) => fault.id === id && isIn(fault, tenantId));
      found = removed !== undefined;
      return faults.filter((fault) => fault !== removed);
    });
    return found;
  }

  async clear(tenantId?: string): Promise<void> {
    if (this.list(tenantId).length === 0) return;
    await this.state.change((faults) => faults.filter((fault) => !isIn(fault, tenantId)));
  }

  /** Finds the first fault that applies to a request, and counts the request for its `times`. */
  match(request: FaultTarget): MaybePromise<Fault | undefined> {
    if (this.state.current.length === 0) return undefined;
    if (this.state.current.every((fault) => fault.tenant_id === undefined))
      return this.#match(request, undefined);
    return andThen(request.tenantId(), (tenantId) => this.#match(request, tenantId));
  }

  #match(request: FaultTarget, tenantId: string | undefined): MaybePromise<Fault | undefined> {
    const own = this.state.current.filter(
      ({ tenant_id }) => tenant_id === undefined || tenant_id === tenantId,
    );
    const fault = own.find((one) => applies(one, request));
    return fault?.times === undefined ? fault : this.#use(fault.id);
  }

  /** Counts a request for a fault, unless requests to other processes have used it up. */
  async #use(id: string): Promise<Fault | undefined> {
    let used: Fault | undefined;
    await this.state.change((faults) => {
      used = faults.find((fault) => fault.id === id);
      // One that has none left is removed.
      return faults.flatMap((fault) => {
        if (fault !== used || fault.times === undefined) return [fault];
        return fault.times === 1 ? [] : [{ ...fault, times: fault.times - 1 }];
      });
    });
    return used;
  }
}

function isIn(fault: Fault, tenantId: string | undefined): boolean {
  return tenantId === undefined || fault.tenant_id === tenantId;
}

function applies({ operation, method, path, rate }: FaultSpec, request: FaultTarget): boolean {
  return (
    (operation === undefined || operation === request.operation) &&
    (method === undefined || method === request.method) &&
    (path === undefined || request.path.startsWith(path)) &&
    (rate === undefined || Math.random() < rate)
  );
}
