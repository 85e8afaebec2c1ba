import { isObject, type Json } from '../../../src/contract/json.js';
import { cutHeaders } from '../host/message-limits.js';
import { DEFAULT_LIMITS, MAX_ERROR_TEXT_LENGTH } from '../limits.js';
import type { ThrownError } from '../outcome.js';

const MAX_FRAMES = 20;
/** Precedes the start of a function in a frame whose own position is not known. */
const IN_FUNCTION = 'in the function at ';

/**
 * Parses an error that `describeThrown` described in the guest. Nothing in the description is trusted.
 * @param fileName name of the reactor's file; other stack frames are dropped
 * @param correctStack corrects the positions in a stack trace
 */
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
function customResponseFields({
  headers,
  body,
}: {
  [key: string]: Json;
}): Pick<ThrownError, 'headers' | 'body'> {
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
