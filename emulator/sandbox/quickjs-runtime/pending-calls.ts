import type { Json } from '../../../src/contract/json.js';
import type { HostServices } from '../host/services.js';
import type { SandboxLimits } from '../limits.js';
import type { HttpRequest } from '../network/http-client.js';
import { toVisibleFields, VisibleError } from '../outcome.js';

/** A response to a call of the guest, or a timer that fired. */
export interface Delivery {
  id: number;
  ok: boolean;
  json: string;
  bytes?: Uint8Array | undefined;
}

/** Timers, `svc` calls and requests of the current invocation. They are cancelled when it ends. */
export class PendingCalls {
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #calls = new Map<number, AbortController>();
  #services: HostServices | undefined;
  #nextId = 1;

  constructor(
    private readonly limits: SandboxLimits,
    private readonly deliver: (delivery: Delivery) => void,
  ) {}

  get size(): number {
    return this.#timers.size + this.#calls.size;
  }

  get services(): HostServices {
    if (!this.#services) throw new VisibleError('The invocation has ended.');
    return this.#services;
  }

  begin(services: HostServices): void {
    this.#services = services;
  }

  end(): void {
    this.#services = undefined;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const controller of this.#calls.values()) controller.abort();
    this.#timers.clear();
    this.#calls.clear();
  }

  setTimer(ms: number, repeat: boolean): number {
    if (this.#timers.size >= this.limits.timers)
      throw new VisibleError('Too many timers are active.', 'RangeError');
    const id = this.#nextId++;
    const fire = () => {
      if (!repeat) this.#timers.delete(id);
      this.deliver({ id, ok: true, json: 'null' });
    };
    this.#timers.set(id, repeat ? setInterval(fire, ms) : setTimeout(fire, ms));
    return id;
  }

  clearTimer(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** Starts an asynchronous call. @returns the id that its delivery will have */
  start(name: string, input: Json, bytes: Uint8Array | undefined): number {
    const id = this.#nextId++;
    const controller = new AbortController();
    const { services } = this;
    const response = this.#call(name, input, bytes, controller.signal).catch((error) => ({
      ok: false,
      json: JSON.stringify(toVisibleFields(services.hideError(error))),
    }));
    this.#calls.set(id, controller);
    void response.then((delivery) => this.#calls.delete(id) && this.deliver({ id, ...delivery }));
    return id;
  }

  cancel(id: number): void {
    this.#calls.get(id)?.abort();
  }

  async #call(name: string, input: Json, bytes: Uint8Array | undefined, signal: AbortSignal) {
    if (name === 'svc') {
      const { method, params } = input as { method: string; params: Json[] };
      const response = await this.services.svc(method, JSON.stringify(params));
      return 'value' in response
        ? { ok: true, json: response.value }
        : { ok: false, json: JSON.stringify(response.failure) };
    }
    const request = { ...(input as unknown as Omit<HttpRequest, 'body'>), body: bytes };
    const { body, ...head } = await this.services.fetch(request, signal);
    return { ok: true, json: JSON.stringify(head), bytes: body };
  }
}
