// `Event`, `EventTarget`, `AbortController` and `AbortSignal`, which are globals in Node.js 16.

export class Event {
  readonly type: string;
  readonly cancelable: boolean;
  readonly timeStamp = performance.now();
  target: unknown = null;
  defaultPrevented = false;
  /** Set by `stopImmediatePropagation`. */
  isStopped = false;

  constructor(type: unknown, options: { cancelable?: boolean } = {}) {
    this.type = String(type);
    this.cancelable = Boolean(options.cancelable);
  }

  get currentTarget(): unknown {
    return this.target;
  }

  preventDefault(): void {
    this.defaultPrevented = this.cancelable;
  }

  stopPropagation(): void {}

  stopImmediatePropagation(): void {
    this.isStopped = true;
  }
}

type Listener = ((event: Event) => void) | { handleEvent(event: Event): void };

type Registration = { listener: Listener; once: boolean };

export class EventTarget {
  readonly #listeners = new Map<string, Registration[]>();

  addEventListener(type: string, listener: Listener | null, options?: boolean | { once?: boolean }): void {
    if (!listener) return;
    const list = this.#listeners.get(type) ?? [];
    if (list.some((known) => known.listener === listener)) return;
    const once = typeof options === 'object' && options !== null && Boolean(options.once);
    this.#listeners.set(type, [...list, { listener, once }]);
  }

  removeEventListener(type: string, listener: Listener | null): void {
    const list = this.#listeners.get(type) ?? [];
    this.#listeners.set(
      type,
      list.filter((known) => known.listener !== listener),
    );
  }

  dispatchEvent(event: Event): boolean {
    event.target = this;
    for (const { listener, once } of this.#listeners.get(event.type) ?? []) {
      if (event.isStopped) break;
      if (once) this.removeEventListener(event.type, listener);
      if (typeof listener === 'function') listener.call(this, event);
      else listener.handleEvent(event);
    }
    return !event.defaultPrevented;
  }
}

/** Aborts a signal. Set by `AbortSignal` to give the controller access to its private state. */
let abortSignal: (signal: AbortSignal, reason: unknown) => void = () => {};

export class AbortSignal extends EventTarget {
  onabort: ((event: Event) => void) | null = null;
  #aborted = false;
  #reason: unknown;

  static {
    abortSignal = (signal, reason) => {
      if (signal.#aborted) return;
      signal.#aborted = true;
      signal.#reason =
        reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason;
      const event = new Event('abort');
      signal.onabort?.(event);
      signal.dispatchEvent(event);
    };
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal();
    abortSignal(signal, reason);
    return signal;
  }

  static timeout(ms: number): AbortSignal {
    const signal = new AbortSignal();
    setTimeout(
      () => abortSignal(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      ms,
    );
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const combined = new AbortSignal();
    for (const signal of signals)
      if (signal.aborted) abortSignal(combined, signal.reason);
      else signal.addEventListener('abort', () => abortSignal(combined, signal.reason), { once: true });
    return combined;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }
}

export class AbortController {
  readonly signal = new AbortSignal();

  abort(reason?: unknown): void {
    abortSignal(this.signal, reason);
  }
}
