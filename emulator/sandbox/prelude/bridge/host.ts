import type { GuestNames } from '../../protocol.js';

/**
 * Functions of the worker that the prelude calls. They are the only access to the host, and reactor code cannot reach them.
 * Strings are JSON in both directions, because the engine's C strings end at a NUL and lose lone surrogates.
 */
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
  /** Evaluates a bundled module. */
  loadModule(name: string): ModuleFactory;
  /** Evaluates a package that was bundled for the reactor. */
  loadPackage(name: string): ModuleFactory;
}

/** An error of the host that reactor code may see. */
export interface HostError {
  name: string;
  message: string;
  code?: string;
}

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

type ModuleFactory = (
  module: { exports: unknown },
  exports: unknown,
  require: (name: string) => unknown,
) => void;

/** A response to `startCall`, or a timer that fired. */
export interface Delivery {
  ok: boolean;
  value: unknown;
  bytes: ArrayBuffer | undefined;
}

let names: GuestNames = {};

/** @param json `GuestNames` */
export function setNames(json: string): void {
  names = JSON.parse(json) as GuestNames;
}

/** Returns the names that reactor code may use in addition to those of the service. */
export const getNames = (): GuestNames => names;
