import { Buffer } from 'buffer';
import type { GuestKey } from '../../host/crypto/keys.js';
import type { GuestNames } from '../../protocol.js';

/** What the prelude calls; reactor code cannot. Strings are JSON: C strings end at a NUL and lose lone surrogates. */
export interface Host {
  /** Reports the result of the current load or call. */
  settle(kind: ResultKind, json?: string): void;
  log(level: string, json: string): void;
  /** Calls a host function. @returns bytes, or JSON of `{ value }` or `{ error: HostError }` */
  callSync(name: string, json: string, bytes?: ArrayBuffer): string | ArrayBuffer;
  /** Starts a `svc` call or a request. @returns the id under which `deliver` passes the response */
  startCall(name: string, json: string, bytes?: ArrayBuffer): number;
  cancelCall(id: number): void;
  /** Starts a timer that fires through `deliver`. @returns its id */
  setTimer(ms: number, repeat: boolean): number;
  clearTimer(id: number): void;
  /** Evaluates a package that was bundled for the reactor. */
  loadPackage(name: string): PackageFactory;
}

export type HostError = { name: string; message: string; code?: string };

/** How a load or a call ended; `parseGuestResult` reads it. */
type ResultKind =
  | 'loaded'
  | 'no-function'
  | 'unbalanced'
  | 'value'
  | 'nothing'
  | 'not-json'
  | 'too-large'
  | 'error';

export type PackageFactory = (
  module: { exports: unknown },
  exports: unknown,
  require: (name: string) => unknown,
) => void;

/** A response to `startCall`, or a timer that fired. */
type Delivery = { ok: boolean; value: unknown; bytes: ArrayBuffer | undefined };

/** A parameter of the function that the prelude is the body of (`quickjs-runtime/prelude.ts`). */
declare const preludeHost: Host;

export const host = preludeHost;

const ERROR_CLASSES: Record<string, new (message: string) => Error> = { RangeError, SyntaxError, TypeError };

/** Calls a function of `host/`, which gets bytes, keys, dates and numbers as they are. Bytes return as a Buffer. */
export function callHost<T>(name: string, ...args: unknown[]): T {
  const { json, bytes } = pack(args);
  const result = host.callSync(name, json, bytes);
  if (typeof result !== 'string') return Buffer.from(result) as T;
  const { value, error } = JSON.parse(result) as { value: T; error?: HostError };
  if (!error) return value;
  const thrown = new (ERROR_CLASSES[error.name] ?? Error)(error.message);
  throw error.code === undefined ? thrown : Object.assign(thrown, { code: error.code });
}

/** A key of `crypto`, whose class builds on this file. */
export interface KeyLike {
  toGuestKey(): GuestKey;
}

export const isKey = (value: unknown): value is KeyLike =>
  typeof value === 'object' && value !== null && typeof (value as Partial<KeyLike>).toGuestKey === 'function';

/** Encodes arguments as `revive` of the host decodes them: bytes are collected in one buffer. */
function pack(args: readonly unknown[]): { json: string; bytes: ArrayBuffer | undefined } {
  const parts: ArrayBuffer[] = [];
  let offset = 0;
  const encode = (value: unknown): unknown => {
    if (typeof value === 'bigint') return { $bigint: String(value) };
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return { $number: Object.is(value, -0) ? '-0' : String(value) };
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      const part = toArrayBuffer(value);
      const $bytes = [offset, part.byteLength];
      parts.push(part);
      offset += part.byteLength;
      return { $bytes };
    }
    if (value instanceof Date) return { $date: value.getTime() };
    if (isKey(value)) return { $key: value.toGuestKey() };
    if (Array.isArray(value)) return value.map(encode);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item)]));
  };
  // JSON has no undefined, and null is another argument.
  const length = args.reduce<number>((end, value, index) => (value === undefined ? end : index + 1), 0);
  const json = JSON.stringify(args.slice(0, length).map(encode));
  return { json, bytes: parts.length > 1 ? toArrayBuffer(concatBytes(parts)) : parts[0] };
}

/** Returns the bytes of a view or buffer as an ArrayBuffer that contains nothing else, as the host requires. */
export function toArrayBuffer(source: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  if (source instanceof ArrayBuffer) return source;
  const { buffer, byteOffset, byteLength } = source;
  if (byteOffset === 0 && byteLength === buffer.byteLength) return buffer as ArrayBuffer;
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

export function concatBytes(parts: readonly (ArrayBuffer | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(new Uint8Array(part), offset);
    offset += part.byteLength;
  }
  return all;
}

type Handler = (delivery: Delivery) => void;

/** Handlers of pending calls and active timers, by id. */
export const handlers = new Map<number, Handler>();

/** Starts an asynchronous call of the host. `response` never rejects; `ok` of the delivery tells success from failure. */
export function startCall(name: string, input: unknown, bytes?: ArrayBuffer) {
  const id = host.startCall(name, JSON.stringify(input), bytes);
  const response = new Promise<Delivery>((resolve) => {
    handlers.set(id, (delivery) => {
      handlers.delete(id);
      resolve(delivery);
    });
  });
  return { response, cancel: () => host.cancelCall(id) };
}

/** Called by the host when a call completes or a timer fires. */
export function deliver(id: number, ok: boolean, json: string, bytes?: ArrayBuffer): void {
  handlers.get(id)?.({ ok, value: JSON.parse(json), bytes });
}

/** Names that reactor code may use in addition to those of the service. */
export let names: GuestNames = {};

export function setNames(json: string): void {
  names = JSON.parse(json) as GuestNames;
}

/** Creates the error that Node.js throws for an invalid argument. */
export const createArgumentError = (message: string, code = 'ERR_INVALID_ARG_TYPE'): TypeError =>
  Object.assign(new TypeError(message), { code });

/** Describes a value as Node.js does in the message of such an error. */
export function describeReceived(value: unknown): string {
  if (value === null || value === undefined) return `Received ${value}`;
  if (typeof value === 'function') return `Received function ${value.name}`;
  if (typeof value === 'object') return `Received an instance of ${value.constructor?.name ?? 'Object'}`;
  const text = typeof value === 'string' ? `'${value.slice(0, 25)}'` : String(value);
  return `Received type ${typeof value} (${text})`;
}
