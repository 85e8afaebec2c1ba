import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import type { HeaderNames } from '../../../src/contract/headers.js';
import { isObject, type Json } from '../../../src/contract/json.js';
import type { FieldErrors } from '../../../src/contract/validation.js';
import { ProblemError, type ProblemExtra } from '../../problems/problem.js';
import type { ReactorResult, ThrownError } from '../../sandbox/outcome.js';

type Failure = Exclude<ReactorResult, { kind: 'returned' }>;

/** Range of the statuses that a thrown error may set (decisions.md, "Reactors"). */
const LOWEST_STATUS = 400;
const HIGHEST_STATUS = 599;
/** A `CustomHttpResponseError` may also answer with success or a redirect. */
const LOWEST_CUSTOM_STATUS = 200;

/** Converts a failed invocation to a problem (decisions.md, "Reactors"). */
export function failureProblem(failure: Failure, serviceHeaders: HeaderNames): ProblemError {
  switch (failure.kind) {
    case 'threw':
      return thrownErrorProblem(failure.error, serviceHeaders);
    case 'load-error':
      return unusableCodeProblem(failure);
    // Not caused by the code, so that the client may retry.
    case 'busy':
    case 'cancelled':
      return new ProblemError('unavailable', failure.message);
    default:
      return runtimeProblem(failure.message);
  }
}

export function runtimeProblem(message: string): ProblemError {
  return new ProblemError('reactorRuntime', message, { errors: { error: [message] } });
}

export function unusableCodeProblem({
  message,
  position,
}: Pick<Extract<Failure, { kind: 'load-error' }>, 'message' | 'position'>) {
  const detail = `The reactor cannot run. ${message}${formatPosition(position)}`;
  return new ProblemError('reactorUnusable', detail, { errors: { error: [message] } });
}

function thrownErrorProblem(error: ThrownError, serviceHeaders: HeaderNames): ProblemError {
  const { status, name } = error;
  const isCustom = name === 'CustomHttpResponseError';
  const lowest = isCustom ? LOWEST_CUSTOM_STATUS : LOWEST_STATUS;
  if (status === undefined || status < lowest || status > HIGHEST_STATUS) {
    const range = isCustom && status !== undefined ? `; a status is ${lowest} to ${HIGHEST_STATUS}` : '';
    return uncaughtErrorProblem({ ...error, message: `${error.message}${range}` });
  }
  const body = error.body ?? (status < LOWEST_STATUS ? {} : undefined);
  const title = status === 500 ? undefined : STATUS_CODES[status];
  return new ProblemError(
    'reactorRuntime',
    `The reactor answered with an error: ${toMessage(error)}${formatCause(error)}`,
    {
      status,
      ...(title !== undefined && { title }),
      errors: toFieldErrors(error),
      ...(error.headers && { headers: responseHeaders(error.headers, serviceHeaders) }),
      ...(body !== undefined && { body }),
    },
  );
}

/** 502: code of the newer contract has thrown. */
export const badGateway = (error: ThrownError): ProblemError =>
  uncaughtErrorProblem(error, { status: 502, title: STATUS_CODES[502] ?? '' });

const NO_RES = 'the reactor must return { res: { body, statusCode } }';

/** Converts what code of the newer contract returns, `{ res: { body, statusCode, headers } }`, to the whole response. */
export function eventResponse(value: Json | undefined, serviceHeaders: HeaderNames): ProblemError {
  const res = isObject(value) ? value.res : undefined;
  const { statusCode: status = 200, body = null, headers } = isObject(res) ? res : {};
  if (!isObject(res) || typeof status !== 'number')
    return badGateway({ name: 'TypeError', message: NO_RES, stack: '' });
  const texts = Object.entries(isObject(headers) ? headers : {}).map(([name, text]) => [name, String(text)]);
  const error = { name: 'CustomHttpResponseError', message: `Response ${status}`, status, body, stack: '' };
  return thrownErrorProblem({ ...error, headers: Object.fromEntries(texts) }, serviceHeaders);
}

function uncaughtErrorProblem(error: ThrownError, extra: ProblemExtra = {}): ProblemError {
  const text = error.message ? `${error.name}: ${error.message}` : error.name;
  const detail = `${text}${formatCause(error)}${formatPosition(error.position)}`;
  return new ProblemError('reactorRuntime', detail, { errors: toFieldErrors(error), ...extra });
}

/** The reason behind a message that does not contain it, such as `fetch failed` of Node.js. */
const formatCause = ({ message, cause }: ThrownError): string =>
  cause === undefined || message.includes(cause) ? '' : `: ${cause}`;

function formatPosition(position: ThrownError['position']): string {
  if (!position) return '';
  const { file, line, column, inFunction } = position;
  return ` (${inFunction ? 'in the function at ' : ''}${file}:${line}:${column})`;
}

/** Converts `errors` of a thrown error to lists of messages by property path; defaults to the message of the error. */
function toFieldErrors(error: ThrownError): FieldErrors {
  const { errors } = error;
  if (isObject(errors))
    return Object.fromEntries(Object.entries(errors).map(([path, value]) => [path, toMessages(value)]));
  return { error: errors === undefined ? [toMessage(error)] : toMessages(errors) };
}

/** The message of an error. Without one, as in `new ServiceUnavailableError()`, the text of its status. */
function toMessage({ message, status, name }: ThrownError): string {
  return message || (status !== undefined && STATUS_CODES[status]) || name;
}

function toMessages(value: Json): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}

/** Headers that a reactor may not set: they describe the connection or the body, or affect the browser's trust in this origin. */
const RESERVED = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'set-cookie',
  'strict-transport-security',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const RESERVED_PREFIXES = ['access-control-', 'proxy-'];

/** Selects the headers of a `CustomHttpResponseError` that may be sent; those of the service are not among them. */
function responseHeaders(headers: Readonly<Record<string, string>>, serviceHeaders: HeaderNames) {
  const reserved = new Set(Object.values(serviceHeaders).map((name) => name.toLowerCase()));
  const allowed = Object.entries(headers)
    .filter(([name, value]) => !reserved.has(name.toLowerCase()) && isAllowed(name, value))
    .map(([name, value]) => [name.toLowerCase(), value]);
  const selected: Record<string, string> = Object.fromEntries(allowed);
  // A page of a reactor must not run with the origin of the emulator and its dashboard.
  return 'content-type' in selected ? { ...selected, 'content-security-policy': 'sandbox' } : selected;
}

function isAllowed(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  const isReserved = RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
  return !isReserved && isValidHeader(name, value);
}

/** Whether HTTP can carry a header. */
export function isValidHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
