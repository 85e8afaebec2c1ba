import type { Delivery, Host, HostError } from './host.js';

let host: Host | undefined;

/** Must be called before any other function of the bridge. */
export function setHost(newHost: Host): void {
  host = newHost;
}

export function getHost(): Host {
  if (!host) throw new Error('The prelude has no host.');
  return host;
}

/** Calls a host function that returns JSON. @throws Error as Node.js throws it for the same arguments */
export const callHost = <T>(name: string, input: unknown, bytes?: ArrayBuffer): T =>
  callSync(name, input, bytes) as T;

/** Calls a host function that returns bytes. @throws Error as Node.js throws it for the same arguments */
export const callHostForBytes = (name: string, input: unknown, bytes?: ArrayBuffer): Uint8Array =>
  new Uint8Array(callSync(name, input, bytes) as ArrayBuffer);

const ERROR_CLASSES: Record<string, new (message: string) => Error> = { RangeError, SyntaxError, TypeError };

function callSync(name: string, input: unknown, bytes?: ArrayBuffer): unknown {
  const result = getHost().callSync(name, JSON.stringify(input ?? null), bytes);
  if (typeof result !== 'string') return result;
  const { value, error } = JSON.parse(result) as { value?: unknown; error?: HostError };
  if (!error) return value;
  const thrown = new (ERROR_CLASSES[error.name] ?? Error)(error.message);
  throw error.code === undefined ? thrown : Object.assign(thrown, { code: error.code });
}

/** Returns the bytes of a view or buffer as an ArrayBuffer that contains nothing else, as the host requires. */
export function toArrayBuffer(source: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  if (source instanceof ArrayBuffer) return source;
  const { buffer, byteOffset, byteLength } = source;
  if (byteOffset === 0 && byteLength === buffer.byteLength) return buffer as ArrayBuffer;
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

type Handler = (delivery: Delivery) => void;

/** Handlers of pending calls and active timers, by id. */
const handlers = new Map<number, Handler>();

/** Starts an asynchronous call of the host. `response` never rejects; `ok` of the delivery tells success from failure. */
export function startCall(
  name: string,
  input: unknown,
  bytes?: ArrayBuffer,
): { response: Promise<Delivery>; cancel: () => void } {
  const id = getHost().startCall(name, JSON.stringify(input), bytes);
  const response = new Promise<Delivery>((resolve) => {
    handlers.set(id, (delivery) => {
      handlers.delete(id);
      resolve(delivery);
    });
  });
  return { response, cancel: () => getHost().cancelCall(id) };
}

export const onTimer = (id: number, handler: () => void): void => void handlers.set(id, handler);

export const removeHandler = (id: number): void => void handlers.delete(id);

export const removeAllHandlers = (): void => handlers.clear();

/** Called by the host when a call completes or a timer fires. */
export function deliver(id: number, ok: boolean, json: string, bytes?: ArrayBuffer): void {
  handlers.get(id)?.({ ok, value: JSON.parse(json), bytes });
}
