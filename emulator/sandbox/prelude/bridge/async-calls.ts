import type { Delivery, Host } from './host.js';

type Handler = (delivery: Delivery) => void;

/** What waits for the host: calls that were started, and timers. */
const handlers = new Map<number, Handler>();

export function startCall(
  host: Host,
  operation: string,
  input: unknown,
  bytes?: ArrayBuffer,
): { id: number; answer: Promise<Delivery> } {
  const id = host.start(operation, JSON.stringify(input), bytes);
  const answer = new Promise<Delivery>((resolve) => {
    handlers.set(id, (delivery) => {
      handlers.delete(id);
      resolve(delivery);
    });
  });
  return { id, answer };
}

export const onTimer = (id: number, handler: () => void): void => void handlers.set(id, handler);

export const removeHandler = (id: number): void => void handlers.delete(id);

export const removeAllHandlers = (): void => handlers.clear();

/** Called by the host. */
export function deliver(id: number, ok: boolean, json: string, bytes?: ArrayBuffer): void {
  handlers.get(id)?.({ ok, value: JSON.parse(json), bytes });
}
