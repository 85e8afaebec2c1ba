import { isObject, type Json } from '../../../src/contract/json.js';
import type { ThrownError } from '../outcome.js';

const MAX_MESSAGE = 8_192;
const MAX_FRAMES = 20;

/** An error as the guest described it; nothing in the description is trusted. */
export function parseThrownError(described: Json | undefined, fileName: string): ThrownError {
  const fields = isObject(described) ? described : {};
  const name = truncateText(fields.name) ?? 'Error';
  const message = truncateText(fields.message) ?? '';
  const frames = reactorFrames(truncateText(fields.stack) ?? '', fileName);
  const position = frames[0] === undefined ? undefined : parsePosition(frames[0], fileName);
  return {
    name,
    message,
    stack: frames.length > 0 ? [`${name}: ${message}`, ...frames].join('\n') : '',
    ...(Number.isInteger(fields.status) && { status: fields.status as number }),
    ...(fields.errors !== undefined && fields.errors !== null && { errors: fields.errors }),
    ...(name === 'CustomHttpResponseError' && customResponseFields(fields)),
    ...(position && { position }),
  };
}

/** Of this class alone: the errors of HTTP clients have headers and a body too, those of somebody else's answer. */
function customResponseFields({
  headers,
  body,
}: {
  [key: string]: Json;
}): Pick<ThrownError, 'headers' | 'body'> {
  return {
    ...(isObject(headers) && { headers: stringifyValues(headers) }),
    ...(body !== undefined && { body }),
  };
}

/** Frames in the reactor's own file, as Node.js writes them. */
function reactorFrames(stack: string, fileName: string): string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && parsePosition(line, fileName) !== undefined)
    .slice(0, MAX_FRAMES);
}

function parsePosition(frame: string, fileName: string): ThrownError['position'] {
  const start = frame.lastIndexOf(`${fileName}:`);
  const match = start < 0 ? null : /^:(\d+):(\d+)\)?\s*$/.exec(frame.slice(start + fileName.length));
  return match ? { file: fileName, line: Number(match[1]), column: Number(match[2]) } : undefined;
}

const truncateText = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? value.slice(0, MAX_MESSAGE) : undefined;

const stringifyValues = (map: { [key: string]: Json }): Record<string, string> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]));
