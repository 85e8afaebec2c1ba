import type { SandboxLimits } from './limits.js';
import type { Json } from './outcome.js';
import type { GuestResult } from './protocol.js';
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
    case 'not-json':
      return { kind: 'failed', failure: 'not-json', detail: String(parsed(json)).slice(0, 200) };
    default: {
      const error = thrownError(parsed(json), fileName);
      const outOfMemory = error.name === 'InternalError' && error.message === 'out of memory';
      if (outOfMemory || (memoryFull && error.stack === ''))
        return { kind: 'failed', failure: 'out-of-memory' };
      return { kind: 'threw', error };
    }
  }
}

function valueResult(json: string, limits: SandboxLimits): GuestResult {
  if (Buffer.byteLength(json) > limits.outputBytes) return { kind: 'failed', failure: 'output-too-large' };
  const value = parsed(json);
  return value === undefined ? { kind: 'failed', failure: 'not-json' } : { kind: 'returned', value };
}

function parsed(json: string | undefined): Json | undefined {
  try {
    return JSON.parse(json ?? '') as Json;
  } catch {
    return undefined;
  }
}
