import { StartError, type StartErrorCode } from '../../lib/start-error.js';
import { StorageError, StorageFullError, StoreUnavailableError } from '../errors.js';

const LOCK_TIMEOUT = '55P03';

/**
 * SQLSTATE codes of a server that starts, stops or has no connection left, of a standby, and of a lock that another process
 * holds for too long.
 */
const STATES = new Set(['57P01', '57P02', '57P03', '53300', '25006', '25P03', LOCK_TIMEOUT]);

/** SQLSTATE of a statement that the server ended because it took too long. */
const CANCELED = '57014';

/** What the driver says when the server does not answer a statement, or the attempt to connect. */
const NO_ANSWER = /^(Query read timeout|timeout expired)$/;

/** What else the driver says without a code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when|Client (has encountered|was closed)|The server does not support SSL)/;

/** What Node.js reports of a certificate that it does not accept. */
const CERTIFICATE_CODES =
  /^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|ERR_TLS_CERT_ALTNAME_INVALID)/;

/** SQLSTATE class of a user or password that the server refuses. */
const REFUSED = '28';

/** Serialization failure, deadlock: the same transaction may succeed when it is repeated. */
const REPEATABLE = new Set(['40001', '40P01']);

const DISK_FULL = '53100';

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Whether an error says that the connection is lost or cannot be made. */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  return (
    // The operating system reports that there is no connection, or no longer one.
    (error instanceof Error && 'syscall' in error) ||
    STATES.has(code) ||
    code.startsWith('08') ||
    code.startsWith(REFUSED) ||
    CERTIFICATE_CODES.test(code) ||
    hasNoAnswer(error) ||
    (code === '' && error instanceof Error && MESSAGES.test(error.message))
  );
}

/**
 * Whether a connection was found to be lost, so that another one may do. What got no answer is not tried again: the database
 * may be busy with it, and the request has waited long enough.
 */
export function isLostConnection(error: unknown): boolean {
  return isConnectionError(error) && !hasNoAnswer(error);
}

function hasNoAnswer(error: unknown): boolean {
  return codeOf(error) === CANCELED || (error instanceof Error && NO_ANSWER.test(error.message));
}

/** Whether the transaction may succeed when it is repeated. */
export function isRepeatable(error: unknown): boolean {
  return REPEATABLE.has(codeOf(error));
}

/** Whether another process has held a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_TIMEOUT;
}

/** Converts an error of the driver or the server to the error that the store reports. Returns any other error as it is. */
export function databaseError(cause: unknown): unknown {
  if (isConnectionError(cause)) return new StoreUnavailableError({ cause });
  if (!(cause instanceof Error && 'severity' in cause)) return cause;
  const code = codeOf(cause);
  if (code === DISK_FULL) return new StorageFullError({ cause });
  return new StorageError(`The database could not be read or written: ${code || 'unknown error'}`, { cause });
}

type Cause = NodeJS.ErrnoException;

interface Explanation {
  code: StartErrorCode;
  /** Whether this is what an error means. */
  when(cause: Cause): boolean;
  /** `name` is that of the database. */
  message(cause: Cause, name: string): string;
}

const hasCode =
  (...codes: string[]) =>
  ({ code = '' }: Cause) =>
    codes.includes(code);

/** Why a database cannot be opened; the first one that applies. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    code: 'store_tls',
    when: ({ syscall }) => syscall === 'open',
    message: ({ path, code }) => `The file ${path} in the URL of the store cannot be read: ${code}.`,
  },
  {
    code: 'store_tls',
    when: (cause) => CERTIFICATE_CODES.test(codeOf(cause)),
    message: ({ code }, name) => `The certificate of the ${name} is refused: ${code}.`,
  },
  {
    code: 'store_without_tls',
    when: ({ message }) => message === 'The server does not support SSL connections',
    message: (_, name) => `The ${name} does not accept TLS.`,
  },
  {
    code: 'store_access_denied',
    when: (cause) => hasCode('28P01', '28000')(cause) || cause.message.includes('password must be a string'),
    message: (_, name) => `The ${name} refused the user or password.`,
  },
  {
    code: 'store_permission_missing',
    when: hasCode('42501'),
    message: ({ message }, name) => `The user lacks a right on the ${name}: ${message}.`,
  },
  {
    code: 'store_read_only',
    when: hasCode('25006'),
    message: (_, name) => `The ${name} is read-only: it is a standby, or sets default_transaction_read_only.`,
  },
  { code: 'store_missing', when: hasCode('3D000'), message: (_, name) => `The ${name} does not exist.` },
  {
    code: 'store_unreachable',
    when: () => true,
    // What a server, or a pooler before it, says of a start holds no data.
    message: (cause, name) =>
      `The ${name} cannot be opened: ${'severity' in cause ? `${cause.message} (${cause.code})` : (cause.code ?? cause.message)}.`,
  },
];

/** Converts an error of a start to one that says what can be done. */
export function startError(error: unknown, name: string): Error {
  if (error instanceof StartError) return error;
  const cause = error as Cause;
  const found = EXPLANATIONS.find(({ when }) => when(cause));
  return found ? new StartError(found.code, found.message(cause, name), { cause }) : cause;
}
