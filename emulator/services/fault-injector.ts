import * as z from 'zod';
import type { Method } from '../../src/contract/operation.js';
import { OPERATION_IDS, type OperationId } from '../../src/contract/operations.js';
import type { Ids } from '../lib/ids.js';

/** The longest delay that a fault may ask for, in milliseconds. */
const MAX_LATENCY_MS = 600_000;

/** What a fault is to do, and to which requests; `POST /_emulator/faults`. */
export const faultSchema = z
  .strictObject({
    /** Only this operation; all of them by default. */
    operation: z
      .enum(OPERATION_IDS as [OperationId, ...OperationId[]], `must be one of ${OPERATION_IDS.join(', ')}`)
      .optional(),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[]).optional(),
    /** Only paths that begin like this. */
    path: z.string().startsWith('/', 'must start with "/"').optional(),
    /** Answers with this status instead of carrying the request out. */
    status: z.int().min(400).max(599).optional(),
    /** Waits this long first; milliseconds of the machine's clock. */
    latency_ms: z.int().min(1).max(MAX_LATENCY_MS).optional(),
    /** Closes the connection without an answer. */
    reset: z.literal(true, 'must be true, or left out').optional(),
    /** Seconds in `Retry-After`, with a status. */
    retry_after: z.int().min(0).optional(),
    /** Strikes this often, then is gone; without end by default. */
    times: z.int().min(1).optional(),
    /** Strikes this share of the requests, from 0 to 1; all of them by default. */
    rate: z.number().gt(0).max(1).optional(),
  })
  .refine(({ status, latency_ms, reset }) => status !== undefined || latency_ms !== undefined || reset, {
    path: ['status'],
    error: 'must be given, or latency_ms, or reset',
  });

export type FaultSpec = z.output<typeof faultSchema>;
export type Fault = FaultSpec & { id: string };

/** What a fault is matched with. */
export interface FaultTarget {
  operation: OperationId | undefined;
  method: string;
  path: string;
}

/** Failures on order, for testing how clients take them. */
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

  /** @returns whether there was one */
  remove(id: string): boolean {
    return this.#faults.delete(id);
  }

  clear(): void {
    this.#faults.clear();
  }

  /** The first fault that strikes this request; counts it. */
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
