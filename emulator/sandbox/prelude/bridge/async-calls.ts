import type { Delivery, Host } from './host.js';

type Handler = (delivery: Delivery) => void;

/** Handlers of pending calls and active timers, by id. */
const handlers = new Map<number, Handler>();

/** Starts an asynchronous call of the host. `response` never rejects; `ok` of the delivery tells success from failure. */
export function startCall(
  host: Host,
  name: string,
  input: unknown,
  bytes?: ArrayBuffer,
): { id: number; response: Promise<Delivery> } {
  const id = host.startCall(name, JSON.stringify(input), bytes);
  const response = new Promise<Delivery>((resolve) => {
    handlers.set(id, (delivery) => {
      handlers.delete(id);
      resolve(delivery);
    });
  });
  return { id, response };
}

export const onTimer = (id: number, handler: () => void): void => void handlers.set(id, handler);

export const removeHandler = (id: number): void => void handlers.delete(id);

export const removeAllHandlers = (): void => handlers.clear();

/** Called by the host when a call completes or a timer fires. */
export function deliver(id: number, ok: boolean, json: string, bytes?: ArrayBuffer): void {
  handlers.get(id)?.({ ok, value: JSON.parse(json), bytes });
}
