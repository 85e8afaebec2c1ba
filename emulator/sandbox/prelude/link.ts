import type { Host } from './host.js';

let host: Host | undefined;

/** Called once, before anything else in here. */
export function linkHost(linked: Host): void {
  host = linked;
}

export function theHost(): Host {
  if (!host) throw new Error('The prelude has no host.');
  return host;
}

/** Asks the host for something it answers at once as JSON. */
export const ask = <T>(operation: string, input: unknown, bytes?: ArrayBuffer): T =>
  JSON.parse(theHost().sync(operation, JSON.stringify(input ?? null), bytes) as string) as T;

/** The same, answered with bytes. */
export const askBytes = (operation: string, input: unknown, bytes?: ArrayBuffer): Uint8Array =>
  new Uint8Array(theHost().sync(operation, JSON.stringify(input ?? null), bytes) as ArrayBuffer);

/** The bytes of any view or buffer, on their own, as the host takes them. */
export function bufferOf(source: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  if (source instanceof ArrayBuffer) return source;
  const { buffer, byteOffset, byteLength } = source;
  if (byteOffset === 0 && byteLength === buffer.byteLength) return buffer as ArrayBuffer;
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

/** An error as Node.js throws it for a wrong argument. */
export const argumentError = (message: string, code = 'ERR_INVALID_ARG_TYPE'): TypeError =>
  Object.assign(new TypeError(message), { code });
