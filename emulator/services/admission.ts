import { getHeapStatistics } from 'node:v8';
import { LIMITS } from '../../src/contract/limits.js';
import { withTimeout } from '../../src/contract/with-timeout.js';
import { FairQueue } from '../lib/fair-queue.js';
import { SumsByTenant } from '../lib/sums-by-tenant.js';
import { retryableProblem } from '../problems/problem.js';

const MiB = 1024 ** 2;

/** What work holds, in bytes of memory for each byte that is known before it begins. Work of up to `SMALL_BYTES` costs nothing. */
export const COSTS = {
  /** A byte of a body: its values, their records, and the lines that are written. */
  body: 4,
  /** A byte of a response, or of token data for one, with what it is made of, until the client has taken it. */
  response: 2,
  /** A byte that the destination of a proxy may send. */
  received: 1,
  /** A byte of the arguments of a reactor, until it ends. */
  args: 2,
} as const;

const { heapShare, bytes, tenantShare, waitMs } = LIMITS.largeRequests;

/** What all requests may hold together, in bytes. */
const defaultCapacity = (): number =>
  Math.min(bytes.maximum, Math.max(bytes.minimum, getHeapStatistics().heap_size_limit * heapShare));

export type Holder = { tenantId: string; bytes: number; waiting: number };

type Request = { tenantId: string; bytes: number };

/**
 * Decides which work begins (decisions.md, "Shares and damage"): what a request will hold is estimated before its work, charged to
 * its tenant and to the whole, and given back at its end. What finds its tenant's share or the whole in use waits for its turn.
 */
export class Admission {
  readonly #held = new SumsByTenant();
  readonly #queue = new FairQueue<Request>();
  #bytes = 0;

  constructor(
    readonly capacity = defaultCapacity(),
    private readonly maxWaitMs: number = waitMs,
  ) {}

  /** Opens the account of a request. @param whenUsed gets what ends it, once the request holds anything */
  open(tenantOf: () => string, whenUsed: (release: () => void) => void): Charge {
    return new Charge(this, tenantOf, whenUsed);
  }

  /** The most that a tenant may hold, in bytes. A request that costs more takes all of it, when its tenant has no other one. */
  get share(): number {
    return this.capacity * tenantShare;
  }

  /** Who holds and waits for what, those who hold most first. */
  get holders(): Holder[] {
    const waiting = this.#queue.requests.map(({ tenantId }) => tenantId);
    return [...new Set([...this.#held.tenants, ...waiting])]
      .map((tenantId) => ({
        tenantId,
        bytes: this.held(tenantId),
        waiting: waiting.filter((one) => one === tenantId).length,
      }))
      .sort((a, b) => b.bytes - a.bytes);
  }

  held(tenantId: string): number {
    return this.#held.of(tenantId);
  }

  /** Takes bytes when it is their turn. @returns whether they were taken; not when they have waited for too long */
  take(request: Request, signal: AbortSignal): Promise<boolean> {
    const isTaken = this.#queue.wait(request, withTimeout(signal, this.maxWaitMs));
    this.#admitWaiting();
    return isTaken;
  }

  /** Takes bytes without asking, or gives them back. */
  change(tenantId: string, bytes: number): void {
    this.#held.add(tenantId, bytes);
    this.#bytes += bytes;
    if (bytes < 0) this.#admitWaiting();
  }

  #isInShare = ({ tenantId, bytes }: Request): boolean => this.held(tenantId) + bytes <= this.share;
  #isInWhole = ({ bytes }: Request): boolean => this.#bytes + bytes <= this.capacity;

  #admitWaiting(): void {
    for (let next = this.#admitNext(); next; next = this.#admitNext()) {
      this.#held.add(next.tenantId, next.bytes);
      this.#bytes += next.bytes;
    }
  }

  #admitNext(): Request | undefined {
    const { requests } = this.#queue;
    // While one waits for the whole, those who hold something get no more of it.
    const isShort = requests.some((one) => this.#isInShare(one) && !this.#isInWhole(one));
    const asked = new Set<string>();
    return this.#queue.admitNext((request) => {
      const { tenantId } = request;
      // What costs little does not overtake what its tenant has asked for earlier.
      const mayBegin = !asked.has(tenantId) && !(isShort && this.held(tenantId) > 0);
      asked.add(tenantId);
      return mayBegin && this.#isInShare(request) && this.#isInWhole(request) ? 0 : Number.POSITIVE_INFINITY;
    });
  }
}

export class Charge {
  #bytes = 0;
  /** Absent until it holds anything. */
  #account: { tenantId: string; closing: AbortController } | undefined;

  constructor(
    private readonly admission: Admission,
    private readonly tenantOf: () => string,
    private readonly whenUsed: (release: () => void) => void,
  ) {}

  /** Waits until the request may hold so many bytes in all. @param mustSucceed it has changed something @throws 503 */
  async raise(bytes: number, mustSucceed = false): Promise<void> {
    const { admission } = this;
    const wanted = Math.min(bytes, admission.share);
    if (wanted <= this.#bytes) return;
    const { tenantId, closing } = this.#open();
    this.#giveBack();
    if (!(await admission.take({ tenantId, bytes: wanted }, closing.signal))) {
      if (!mustSucceed) throw refusal(tenantId, admission);
      admission.change(tenantId, wanted);
    }
    this.#bytes = wanted;
    if (closing.signal.aborted) this.#giveBack();
  }

  #open() {
    if (this.#account) return this.#account;
    const closing = new AbortController();
    this.#account = { tenantId: this.tenantOf(), closing };
    this.whenUsed(() => {
      closing.abort();
      this.#giveBack();
    });
    return this.#account;
  }

  #giveBack(): void {
    const bytes = this.#bytes;
    this.#bytes = 0;
    if (this.#account && bytes > 0) this.admission.change(this.#account.tenantId, -bytes);
  }
}

function refusal(tenantId: string, admission: Admission): Error {
  const who = admission.held(tenantId) > admission.capacity / 2 ? 'this tenant' : 'other tenants';
  const capacity = Math.round(admission.capacity / MiB);
  return retryableProblem(
    'unavailable',
    `Large requests of ${who} take the ${capacity} MiB that there are for them. Try again.`,
  );
}
