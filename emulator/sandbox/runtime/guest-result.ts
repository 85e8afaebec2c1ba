import { type Json, jsonOf } from '../../../src/contract/json.js';
import type { SandboxLimits } from '../limits.js';
import type { ThrownError } from '../outcome.js';
import type { GuestResult } from '../protocol.js';
import { parseThrownError } from './thrown-error.js';

interface GuestState {
  fileName: string;
  limits: SandboxLimits;
  isMemoryFull: boolean;
}

/**
 * Validates the result that a guest reports. Nothing in it is trusted, because reactor code may have tampered with the prelude.
 * @param kind a `ResultKind` of the prelude; anything unknown counts as `error`
 * @param json the returned value or a description of the thrown error
 * @returns undefined after a successful load
 */
export function parseGuestResult(
  kind: string,
  json: string | undefined,
  { fileName, limits, isMemoryFull }: GuestState,
): GuestResult | undefined {
  switch (kind) {
    case 'loaded':
      return undefined;
    case 'nothing':
      return { kind: 'returned' };
    case 'value':
      return toValueResult(json ?? '', limits);
    case 'no-function':
      return { kind: 'load-error', message: 'The code exports no function.' };
    case 'unbalanced':
      return { kind: 'load-error', message: 'The code does not parse: unbalanced braces.' };
    case 'too-large':
      return { kind: 'failed', failure: 'output-too-large' };
    default: {
      if (Buffer.byteLength(json ?? '') > limits.outputBytes)
        return { kind: 'failed', failure: 'output-too-large' };
      const error = parseThrownError(jsonOf(json ?? '') as Json | undefined, fileName);
      if (isOutOfMemory(error, isMemoryFull)) return { kind: 'failed', failure: 'out-of-memory' };
      if (kind === 'not-json')
        return { kind: 'failed', failure: 'not-json', detail: error.message.slice(0, 200) };
      return { kind: 'threw', error };
    }
  }
}

/** Recognizes QuickJS's own error, and the `null` that it throws when no memory is left for an error object. */
const isOutOfMemory = ({ name, message, stack }: ThrownError, isMemoryFull: boolean): boolean =>
  (name === 'InternalError' && message === 'out of memory') ||
  (isMemoryFull && message === 'null' && stack === '');

const toValueResult = (json: string, limits: SandboxLimits): GuestResult =>
  Buffer.byteLength(json) > limits.outputBytes
    ? { kind: 'failed', failure: 'output-too-large' }
    : { kind: 'returned', json };
