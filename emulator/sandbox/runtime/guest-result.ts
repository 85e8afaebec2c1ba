import type { SandboxLimits } from '../limits.js';
import type { Json, ThrownError } from '../outcome.js';
import type { GuestResult } from '../protocol.js';
import { thrownError } from './thrown-error.js';

interface Circumstances {
  fileName: string;
  limits: SandboxLimits;
  memoryFull: boolean;
}

/** What the prelude reported, checked: the guest may have been tampered with by its own code. */
export function resultOf(
  kind: string,
  json: string | undefined,
  { fileName, limits, memoryFull }: Circumstances,
): GuestResult | undefined {
  switch (kind) {
    case 'loaded':
      return undefined;
    case 'nothing':
      return { kind: 'returned' };
    case 'value':
      return valueResult(json ?? '', limits);
    case 'no-function':
      return { kind: 'load-error', message: 'The code exports no function.' };
    case 'unbalanced':
      return { kind: 'load-error', message: 'The code does not parse: its braces are not balanced.' };
    case 'too-large':
      return { kind: 'failed', failure: 'output-too-large' };
    default: {
      if (Buffer.byteLength(json ?? '') > limits.outputBytes)
        return { kind: 'failed', failure: 'output-too-large' };
      const error = thrownError(parsed(json), fileName);
      if (isOutOfMemory(error, memoryFull)) return { kind: 'failed', failure: 'out-of-memory' };
      if (kind === 'not-json')
        return { kind: 'failed', failure: 'not-json', detail: error.message.slice(0, 200) };
      return { kind: 'threw', error };
    }
  }
}

/** The engine's own error, or the `null` that it throws when there is no memory left for one. */
const isOutOfMemory = ({ name, message, stack }: ThrownError, memoryFull: boolean): boolean =>
  (name === 'InternalError' && message === 'out of memory') ||
  (memoryFull && message === 'null' && stack === '');

const valueResult = (json: string, limits: SandboxLimits): GuestResult =>
  Buffer.byteLength(json) > limits.outputBytes
    ? { kind: 'failed', failure: 'output-too-large' }
    : { kind: 'returned', json };

function parsed(json: string | undefined): Json | undefined {
  try {
    return JSON.parse(json ?? '') as Json;
  } catch {
    return undefined;
  }
}
