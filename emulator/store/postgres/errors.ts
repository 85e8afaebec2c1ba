import { StorageError, StorageFullError, StoreUnavailableError } from '../errors.js';

/** Errors of the system when there is no connection, or no longer one. */
const SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * SQLSTATE codes of a server that starts, stops or has no connection left, of a standby, and of a lock that another process
 * holds for too long.
 */
const STATES = new Set(['57P01', '57P02', '57P03', '53300', '25006', '25P03', '55P03']);

/** What the driver says without a code. */
const MESSAGES = /^(Connection terminated|timeout exceeded when|Client (has encountered|was closed))/;

/** Serialization failure, deadlock: the same transaction may succeed when it is repeated. */
const REPEATABLE = new Set(['40001', '40P01']);

const DISK_FULL = '53100';

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Whether an error says that the connection is lost or cannot be made. */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  return (
    SYSTEM.has(code) ||
    STATES.has(code) ||
    code.startsWith('08') ||
    (code === '' && error instanceof Error && MESSAGES.test(error.message))
  );
}

/** Whether the transaction may succeed when it is repeated. */
export function isRepeatable(error: unknown): boolean {
  return REPEATABLE.has(codeOf(error));
}

/** Converts an error of the driver or the server to the error that the store reports. Returns any other error as it is. */
export function databaseError(cause: unknown): unknown {
  if (isConnectionError(cause)) return new StoreUnavailableError({ cause });
  if (!(cause instanceof Error && 'severity' in cause)) return cause;
  const code = codeOf(cause);
  if (code === DISK_FULL) return new StorageFullError({ cause });
  return new StorageError(`The database could not be read or written: ${code || 'unknown error'}`, { cause });
}
