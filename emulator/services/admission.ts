import { getHeapStatistics } from 'node:v8';
import { retryableProblem } from '../problems/problem.js';

const MiB = 1024 ** 2;

/** What work holds, in bytes of memory for each byte that is known before it begins. Work of few bytes is not counted. */
export const COSTS = {
  /** A byte of a body: its values, their records, and the lines that are written. */
  body: 4,
  /** A byte of a response, with what it is made of, until its client has taken it. */
  response: 2,
  /** A byte that the destination of a proxy sends. */
  received: 1,
} as const;

/** Bytes of a body or response up to which it costs nothing. */
export const SMALL_BYTES = 65_536;

/** The share of a tenant. A request that costs more takes all of it, and runs when its tenant has no other one. */
const TENANT_SHARE = 0.75;
/** How long a request waits for its turn, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** What all requests may hold together, in bytes: a quarter of the heap. */
const defaultCapacity = (): number =>
  Math.min(512 * MiB, Math.max(128 * MiB, getHeapStatistics().heap_size_limit / 4));

/** What a tenant holds, and what of it waits. */
export interface Holder {
  tenantId: string;
  bytes: number;
  waiting: number;
}

interface Waiting {
  tenantId: string;
  bytes: number;
  admit(): void;
}

/**
 * Decides which work begins (decisions.md, "Shares and damage"): what a request will hold is estimated before its work, charged to
 * its tenant and to the whole, and given back at its end. What finds its tenant's share or the whole in use waits for its turn.
 */
export class Admission {
  readonly #tenants = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #bytes = 0;

  constructor(
    readonly capacity = defaultCapacity(),
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  /**
   * Opens the account of a request.
   * @param tenantOf whose request it is; asked when it first holds anything
   * @param whenUsed is called when it first holds anything: it must call `release` at the end of the request
   */
  open(tenantOf: () => string, whenUsed: (release: () => void) => void): Charge {
    return new Charge(this, tenantOf, whenUsed);
  }

  /** The most that a tenant may hold, in bytes. */
  get share(): number {
    return this.capacity * TENANT_SHARE;
  }

  /** Who holds and waits for what, those who hold most first. */
  get holders(): Holder[] {
    const waiting = [...this.#waiting];
    const tenants = new Set([...this.#tenants.keys(), ...waiting.map(({ tenantId }) => tenantId)]);
    return [...tenants]
      .map((tenantId) => ({
        tenantId,
        bytes: this.#tenants.get(tenantId) ?? 0,
        waiting: waiting.filter((one) => one.tenantId === tenantId).length,
      }))
      .sort((a, b) => b.bytes - a.bytes);
  }

  /** Takes bytes at once if there is room for them. */
  tryTake(tenantId: string, bytes: number): boolean {
    const held = this.#tenants.get(tenantId) ?? 0;
    if (held + bytes > this.share || this.#bytes + bytes > this.capacity) return false;
    this.#add(tenantId, bytes);
    return true;
  }

  /** Takes bytes when it is their turn. @returns whether they were taken; not when they have waited for too long */
  async take(tenantId: string, bytes: number, signal: AbortSignal): Promise<boolean> {
    const isFirst = ![...this.#waiting].some((one) => one.tenantId === tenantId);
    if (isFirst && this.tryTake(tenantId, bytes)) return true;
    return new Promise((resolve) => {
      const end = (isTaken: boolean) => {
        this.#waiting.delete(waiting);
        clearTimeout(timer);
        resolve(isTaken);
      };
      const waiting = { tenantId, bytes, admit: () => end(true) };
      const timer = setTimeout(() => end(false), this.maxWaitMs);
      signal.addEventListener('abort', () => end(false), { once: true });
      this.#waiting.add(waiting);
    });
  }

  /** Takes bytes without asking: of work that is done, and must not be refused. */
  force(tenantId: string, bytes: number): void {
    this.#add(tenantId, bytes);
  }

  giveBack(tenantId: string, bytes: number): void {
    this.#add(tenantId, -bytes);
    const blocked = new Set<string>();
    for (const waiting of [...this.#waiting]) {
      if (blocked.has(waiting.tenantId)) continue;
      // What costs little does not overtake what its tenant has asked for earlier.
      if (this.tryTake(waiting.tenantId, waiting.bytes)) waiting.admit();
      else blocked.add(waiting.tenantId);
    }
  }

  #add(tenantId: string, bytes: number): void {
    const held = (this.#tenants.get(tenantId) ?? 0) + bytes;
    this.#bytes += bytes;
    if (held > 0) this.#tenants.set(tenantId, held);
    else this.#tenants.delete(tenantId);
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

  /**
   * Waits until the request may hold as many bytes in all. What it held before is given back first: requests that hold something
   * never wait for each other.
   * @param mustSucceed what the request was to do is done: it is not refused any more
   * @throws ProblemError 503 with the header Retry-After
   */
  async raise(bytes: number, mustSucceed = false): Promise<void> {
    const { admission } = this;
    const wanted = Math.min(bytes, admission.share);
    if (wanted <= this.#bytes) return;
    const { tenantId, closing } = this.#use();
    this.#giveBack();
    if (!(await admission.take(tenantId, wanted, closing.signal))) {
      if (!mustSucceed) throw refusal(tenantId, admission);
      admission.force(tenantId, wanted);
    }
    this.#bytes = wanted;
    if (closing.signal.aborted) this.#giveBack();
  }

  /** Adds bytes that have arrived. @returns whether there is room for them */
  add(bytes: number): boolean {
    const { tenantId, closing } = this.#use();
    const isTaken = !closing.signal.aborted && this.admission.tryTake(tenantId, bytes);
    if (isTaken) this.#bytes += bytes;
    return isTaken;
  }

  #use() {
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
    if (this.#account && bytes > 0) this.admission.giveBack(this.#account.tenantId, bytes);
  }
}

function refusal(tenantId: string, { capacity, holders }: Admission): Error {
  const own = holders.find((one) => one.tenantId === tenantId);
  const who = (own?.bytes ?? 0) > capacity / 2 ? 'this tenant' : 'other tenants';
  const detail = `Large requests of ${who} take the ${Math.round(capacity / MiB)} MiB that there are for them. Try again.`;
  return retryableProblem('unavailable', detail);
}
