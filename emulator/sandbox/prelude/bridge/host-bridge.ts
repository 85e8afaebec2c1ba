import type { Host, HostError } from './host.js';

let host: Host | undefined;

/** Called once, before anything else in here. */
export function setHost(linked: Host): void {
  host = linked;
}

export function getHost(): Host {
  if (!host) throw new Error('The prelude has no host.');
  return host;
}

const ERRORS: Record<string, new (message: string) => Error> = { RangeError, SyntaxError, TypeError };

/** @throws what the host says that the code did wrong, as Node.js throws it. */
function callSync(operation: string, input: unknown, bytes?: ArrayBuffer): unknown {
  const answer = getHost().sync(operation, JSON.stringify(input ?? null), bytes);
  if (typeof answer !== 'string') return answer;
  const { value, error } = JSON.parse(answer) as { value?: unknown; error?: HostError };
  if (!error) return value;
  const thrown = new (ERRORS[error.name] ?? Error)(error.message);
  throw error.code === undefined ? thrown : Object.assign(thrown, { code: error.code });
}

/** Asks the host for something it answers at once as JSON. */
export const callHost = <T>(operation: string, input: unknown, bytes?: ArrayBuffer): T =>
  callSync(operation, input, bytes) as T;

/** The same, answered with bytes. */
export const callHostForBytes = (operation: string, input: unknown, bytes?: ArrayBuffer): Uint8Array =>
  new Uint8Array(callSync(operation, input, bytes) as ArrayBuffer);

/** The bytes of any view or buffer, on their own, as the host takes them. */
export function toArrayBuffer(source: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  if (source instanceof ArrayBuffer) return source;
  const { buffer, byteOffset, byteLength } = source;
  if (byteOffset === 0 && byteLength === buffer.byteLength) return buffer as ArrayBuffer;
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

/** An error as Node.js throws it for a wrong argument. */
export const createArgumentError = (message: string, code = 'ERR_INVALID_ARG_TYPE'): TypeError =>
  Object.assign(new TypeError(message), { code });

/** How Node.js names a value in such a message. */
export function describeReceived(value: unknown): string {
  if (value === null || value === undefined) return `Received ${value}`;
  if (typeof value === 'function') return `Received function ${value.name}`;
  if (typeof value === 'object') return `Received an instance of ${value.constructor?.name ?? 'Object'}`;
  const shown = typeof value === 'string' ? `'${value.slice(0, 25)}'` : String(value);
  return `Received type ${typeof value} (${shown})`;
}
