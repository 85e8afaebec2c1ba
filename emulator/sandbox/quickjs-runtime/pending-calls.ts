import type { Json } from '../../../src/contract/json.js';
import type { SandboxLimits } from '../limits.js';
import type { HttpRequest } from '../network/redirects.js';
import type { HostServices } from '../runtime/guest.js';
import { toVisibleFields, VisibleError } from '../visible-error.js';

/** An answer to a call of the guest, or a timer that fired. */
export interface Delivery {
  id: number;
  ok: boolean;
  json: string;
  bytes?: Uint8Array | undefined;
}

/** What the current invocation waits for: timers, `svc`, requests. All of it ends with the invocation. */
export class PendingCalls {
  readonly #limits: SandboxLimits;
  readonly #deliver: (delivery: Delivery) => void;
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #calls = new Map<number, AbortController>();
  #services: HostServices | undefined;
  #nextId = 1;

  constructor(limits: SandboxLimits, deliver: (delivery: Delivery) => void) {
    this.#limits = limits;
    this.#deliver = deliver;
  }

  get size(): number {
    return this.#timers.size + this.#calls.size;
  }

  /** @throws VisibleError between invocations. */
  get services(): HostServices {
    if (!this.#services) throw new VisibleError('The invocation is over.');
    return this.#services;
  }

  begin(services: HostServices): void {
    this.#services = services;
  }

  end(): void {
    this.#services = undefined;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const call of this.#calls.values()) call.abort();
    this.#timers.clear();
    this.#calls.clear();
  }

  setTimer(ms: number, repeat: boolean): number {
    if (this.#timers.size >= this.#limits.timers)
      throw new VisibleError('Too many timers are set.', 'RangeError');
    const id = this.#nextId++;
    const fire = () => {
      if (!repeat) this.#timers.delete(id);
      this.#deliver({ id, ok: true, json: 'null' });
    };
    this.#timers.set(id, repeat ? setInterval(fire, ms) : setTimeout(fire, ms));
    return id;
  }

  clearTimer(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** @returns the number under which the answer is delivered. */
  start(operation: string, input: Json, bytes: Uint8Array | undefined): number {
    const id = this.#nextId++;
    const abort = new AbortController();
    const answer = this.#answer(operation, input, bytes, abort.signal).catch(toFailedDelivery);
    this.#calls.set(id, abort);
    void answer.then((delivery) => this.#calls.delete(id) && this.#deliver({ id, ...delivery }));
    return id;
  }

  cancel(id: number): void {
    this.#calls.get(id)?.abort();
  }

  async #answer(
    operation: string,
    input: Json,
    bytes: Uint8Array | undefined,
    signal: AbortSignal,
  ): Promise<Omit<Delivery, 'id'>> {
    if (operation === 'svc') return this.#svc(input as { method: string; params: Json[] });
    return this.#fetch({ ...(input as unknown as Omit<HttpRequest, 'body'>), body: bytes }, signal);
  }

  async #svc({ method, params }: { method: string; params: Json[] }): Promise<Omit<Delivery, 'id'>> {
    const answer = await this.services.svc(method, JSON.stringify(params));
    return 'json' in answer
      ? { ok: true, json: answer.json }
      : { ok: false, json: JSON.stringify(answer.failure) };
  }

  async #fetch(call: HttpRequest, signal: AbortSignal): Promise<Omit<Delivery, 'id'>> {
    const { body, ...head } = await this.services.fetch(call, signal);
    return { ok: true, json: JSON.stringify(head), bytes: body };
  }
}

const toFailedDelivery = (error: unknown): Omit<Delivery, 'id'> => ({
  ok: false,
  json: JSON.stringify(toVisibleFields(error)),
});
