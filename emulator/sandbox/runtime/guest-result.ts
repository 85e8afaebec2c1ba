import type { Json } from '../../../src/contract/json.js';
import type { SandboxLimits } from '../limits.js';
import type { ThrownError } from '../outcome.js';
import type { GuestResult } from '../protocol.js';
import { parseThrownError } from './thrown-error.js';

interface GuestState {
  fileName: string;
  limits: SandboxLimits;
  memoryFull: boolean;
}

/** What the prelude reported, checked: the guest may have been tampered with by its own code. */
export function parseGuestResult(
  kind: string,
  json: string | undefined,
  { fileName, limits, memoryFull }: GuestState,
): GuestResult | undefined {
  switch (kind) {
    case 'loaded':
      return undefined;
    case 'nothing':
      return { kind: 'returned' };
    case 'value':
      return parseValue(json ?? '', limits);
    case 'no-function':
      return { kind: 'load-error', message: 'The code exports no function.' };
    case 'unbalanced':
      return { kind: 'load-error', message: 'The code does not parse: its braces are not balanced.' };
    case 'too-large':
      return { kind: 'failed', failure: 'output-too-large' };
    default: {
      if (Buffer.byteLength(json ?? '') > limits.outputBytes)
        return { kind: 'failed', failure: 'output-too-large' };
      const error = parseThrownError(parseOrUndefined(json), fileName);
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

const parseValue = (json: string, limits: SandboxLimits): GuestResult =>
  Buffer.byteLength(json) > limits.outputBytes
    ? { kind: 'failed', failure: 'output-too-large' }
    : { kind: 'returned', json };

function parseOrUndefined(json: string | undefined): Json | undefined {
  try {
    return JSON.parse(json ?? '') as Json;
  } catch {
    return undefined;
  }
}
