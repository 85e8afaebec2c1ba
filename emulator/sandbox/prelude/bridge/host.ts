/**
 * The functions that the worker gives the prelude; nothing else of the host exists in here, and reactor code never sees them.
 * Strings are JSON in both directions (the engine's C strings end at a NUL and lose lone surrogates).
 */
export interface Host {
  /** Ends the current load or invocation. */
  settle(kind: ResultKind, json?: string): void;
  log(level: string, json: string): void;
  /** Answers at once: bytes, or JSON of `{ value }` or of `{ error }`, a HostError. */
  sync(operation: string, json: string, bytes?: ArrayBuffer): string | ArrayBuffer;
  /** Answered later through `deliver`, under the number returned. */
  start(operation: string, json: string, bytes?: ArrayBuffer): number;
  cancel(call: number): void;
  /** Fires through `deliver` too. */
  setTimer(ms: number, repeat: boolean): number;
  clearTimer(timer: number): void;
  /** The function around a bundled module. */
  module(name: string): ModuleFactory;
}

/** An error of the host that the code may see. */
export interface HostError {
  name: string;
  message: string;
  code?: string;
}

export type ResultKind =
  | 'loaded'
  | 'no-function'
  | 'unbalanced'
  | 'value'
  | 'nothing'
  | 'not-json'
  | 'too-large'
  | 'error';

export type ModuleFactory = (
  module: { exports: unknown },
  exports: unknown,
  require: (name: string) => unknown,
) => void;

/** An answer to `start`. */
export interface Delivery {
  ok: boolean;
  value: unknown;
  bytes: ArrayBuffer | undefined;
}
