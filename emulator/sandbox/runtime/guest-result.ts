import { isObject, type Json, jsonOf } from '../../../src/contract/json.js';
import { LIMITS } from '../../../src/contract/limits.js';
import { findTextFault } from '../../lib/json-bounds.js';
import { cutHeaders } from '../host/message-limits.js';
import type { HostServices } from '../host/services.js';
import { DEFAULT_LIMITS, MAX_ERROR_TEXT_LENGTH, type SandboxLimits } from '../limits.js';
import type { ThrownError } from '../outcome.js';
import type { GuestRequest, GuestResult, ReactorSource } from '../protocol.js';

/** One loaded reactor. Implemented by both runtimes, QuickJS and Node.js. */
export interface Guest {
  /** Sets the difference between the machine's clock and what `Date` returns. Milliseconds. */
  setClock(offsetMs: number): void;
  /** Compiles the code and runs its top level. @returns undefined if there is a function to call */
  load(source: ReactorSource, services: HostServices): Promise<GuestResult | undefined>;
  call(request: GuestRequest, services: HostServices): Promise<GuestResult>;
  /** False if the guest may be in a state that the next invocation would notice. */
  readonly isReusable: boolean;
  memoryBytes(): number;
}

interface GuestState {
  fileName: string;
  limits: SandboxLimits;
  isMemoryFull: boolean;
  /** Corrects the positions in a stack trace. Absent if the runtime reports them correctly. */
  correctStack?(stack: string): string;
}

/** Validates what a guest reports: reactor code may have tampered with its prelude. Undefined after a successful load. */
export function parseGuestResult(
  kind: string,
  json: string | undefined,
  { fileName, limits, isMemoryFull, correctStack }: GuestState,
): GuestResult | undefined {
  switch (kind) {
    case 'loaded':
      return undefined;
    case 'nothing':
      return { kind: 'returned' };
    case 'value':
      return toValueResult(json ?? '', limits);
    case 'no-function':
      return {
        kind: 'load-error',
        message: 'The code exports no function: assign one to module.exports, or export it as default.',
      };
    case 'unbalanced':
      return { kind: 'load-error', message: 'The code does not parse: unbalanced braces.' };
    case 'too-large':
      return { kind: 'failed', failure: 'output-too-large' };
    default: {
      if (Buffer.byteLength(json ?? '') > limits.outputBytes)
        return { kind: 'failed', failure: 'output-too-large' };
      const fault = findFault(json ?? '');
      if (fault) return fault;
      const error = parseThrownError(jsonOf(json ?? '') as Json | undefined, fileName, correctStack);
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

/** More than of a body, for the object that holds `raw` and `tokenize`, or `errors` and `body`. */
const RESULT_BOUNDS = { levels: LIMITS.bodyDepth + 1, values: LIMITS.bodyValues + 1 };

const FAULT_DETAILS = {
  depth: `it nests deeper than ${LIMITS.bodyDepth} levels`,
  values: `it holds more than ${LIMITS.bodyValues} values`,
};

function findFault(json: string): GuestResult | undefined {
  const fault = findTextFault(json, RESULT_BOUNDS);
  return fault && { kind: 'failed', failure: 'not-json', detail: FAULT_DETAILS[fault] };
}

function toValueResult(json: string, limits: SandboxLimits): GuestResult {
  if (Buffer.byteLength(json) > limits.outputBytes) return { kind: 'failed', failure: 'output-too-large' };
  return findFault(json) ?? { kind: 'returned', json };
}

const MAX_FRAMES = 20;
/** Precedes the start of a function in a frame whose own position is not known. */
const IN_FUNCTION = 'in the function at ';

/** Parses an error that `describeThrown` described in the guest. Nothing in the description is trusted. */
export function parseThrownError(
  described: Json | undefined,
  fileName: string,
  correctStack = (stack: string): string => stack,
): ThrownError {
  const fields = isObject(described) ? described : {};
  const name = truncateText(fields.name) ?? 'Error';
  const message = truncateText(fields.message) ?? '';
  const cause = truncateText(fields.cause);
  const frames = reactorFrames(correctStack(truncateText(fields.stack) ?? ''), fileName);
  const position = frames[0] === undefined ? undefined : parsePosition(frames[0], fileName);
  return {
    name,
    message,
    stack: frames.length > 0 ? [`${name}: ${message}`, ...frames].join('\n') : '',
    ...(cause && cause !== message && { cause }),
    ...(Number.isInteger(fields.status) && { status: fields.status as number }),
    ...(fields.errors !== undefined && fields.errors !== null && { errors: fields.errors }),
    ...(name === 'CustomHttpResponseError' && customResponseFields(fields)),
    ...(position && { position }),
  };
}

/** Reads `headers` and `body` of this class only. Errors of HTTP clients have them too, but those belong to a third party's response. */
function customResponseFields({ headers, body }: { [key: string]: Json }) {
  return {
    ...(isObject(headers) && { headers: cutHeaders(stringifyValues(headers), DEFAULT_LIMITS) }),
    ...(body !== undefined && { body }),
  };
}

/** Keeps stack frames of the reactor's own file, formatted as in Node.js. */
function reactorFrames(stack: string, fileName: string): string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && parsePosition(line, fileName) !== undefined)
    .slice(0, MAX_FRAMES);
}

function parsePosition(frame: string, fileName: string): ThrownError['position'] {
  const start = frame.lastIndexOf(`${fileName}:`);
  const match = start < 0 ? null : /^:(\d+):(\d+)\)?\s*$/.exec(frame.slice(start + fileName.length));
  if (!match) return undefined;
  const position = { file: fileName, line: Number(match[1]), column: Number(match[2]) };
  return frame.slice(0, start).endsWith(IN_FUNCTION) ? { ...position, inFunction: true } : position;
}

const truncateText = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? value.slice(0, MAX_ERROR_TEXT_LENGTH) : undefined;

const stringifyValues = (map: { [key: string]: Json }): Record<string, string> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]));
