import { CONNECTION_WORDS } from '../../../src/contract/connection-words.js';
import { StartError, type StartErrorCode } from '../../lib/start-error.js';
import { BatchAbortedError, StorageError, StorageFullError, StoreUnavailableError } from '../errors.js';

const READ_ONLY = '25006';
const NO_TLS = 'The server does not support SSL connections';

/** SQLSTATE codes of a server that starts, stops or has no connection left, and of a standby. */
const STATES = new Set(['57P01', '57P02', '57P03', '53300', READ_ONLY, '25P03']);

/** SQLSTATE codes of a statement that the server ended because it, or a lock that it waited for, took too long. */
const ENDED = new Set(['57014', '55P03']);

/** What the driver says when the server does not answer a statement, or the attempt to connect. */
const NO_ANSWER = /^(Query read timeout|timeout expired)$/;

/** What else the driver says without a code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when|Client (has encountered|was closed)|The server does not support SSL|SASL)/;

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
    // The operating system reports that there is no connection, or no longer one; of a name with several addresses, for each.
    (error instanceof Error && 'syscall' in error) ||
    error instanceof AggregateError ||
    STATES.has(code) ||
    code.startsWith('08') ||
    code.startsWith(REFUSED) ||
    CERTIFICATE_CODES.test(code) ||
    hasNoAnswer(error) ||
    (code === '' && error instanceof Error && MESSAGES.test(error.message))
  );
}

/** Whether a connection was found to be lost, so that another one may do. A database that does not answer may be busy. */
export const isLostConnection = (error: unknown): boolean => isConnectionError(error) && !hasNoAnswer(error);

function hasNoAnswer(error: unknown): boolean {
  return ENDED.has(codeOf(error)) || (error instanceof Error && NO_ANSWER.test(error.message));
}

/** Converts an error of the driver or the server to the error that the store reports. Returns any other error as it is. */
export function databaseError(cause: unknown): unknown {
  if (isConnectionError(cause)) return new StoreUnavailableError({ cause });
  if (!(cause instanceof Error && 'severity' in cause)) return cause;
  const code = codeOf(cause);
  if (code === DISK_FULL) return new StorageFullError({ cause });
  return new StorageError(`The database could not be read or written: ${code || 'unknown error'}`, { cause });
}

/** Converts an error of the transaction of a batch, which may succeed when it is repeated. */
export function batchError(cause: unknown): unknown {
  if (!REPEATABLE.has(codeOf(cause))) return databaseError(cause);
  return new BatchAbortedError('the transaction is to be repeated', { cause });
}

/** Says why a database cannot be opened. */
function explain(cause: NodeJS.ErrnoException, name: string): [StartErrorCode, string] {
  const { code = '', message, path, syscall } = cause;
  const host = name.slice(name.indexOf(' ') + 1, name.lastIndexOf('/'));
  const words = CONNECTION_WORDS[code]?.(host, host.replace(/:\d+$/, ''));
  if (syscall === 'open')
    return ['store_tls', `The file ${path} in the URL of the store cannot be read: ${code}.`];
  if (CERTIFICATE_CODES.test(code))
    return ['store_tls', words ?? `The certificate of the ${name} is refused: ${code}.`];
  if (message === NO_TLS) return ['store_without_tls', `The ${name} does not accept TLS.`];
  if (code === '28P01' || code === '28000' || message.includes('password must be a string'))
    return ['store_access_denied', `The ${name} refused the user or password.`];
  if (code === '42501')
    return ['store_permission_missing', `The user lacks a right on the ${name}: ${message}.`];
  if (code === READ_ONLY)
    return [
      'store_read_only',
      `The ${name} is read-only: it is a standby, or sets default_transaction_read_only.`,
    ];
  if (code === '3D000') return ['store_missing', `The ${name} does not exist.`];
  if (words !== undefined) return ['store_unreachable', `The ${name} cannot be opened. ${words}`];
  // What a server, or a pooler before it, says of a start holds no data.
  const reason = 'severity' in cause ? `${message} (${code})` : code || message;
  return ['store_unreachable', `The ${name} cannot be opened: ${reason}.`];
}

/** Converts an error of the driver or the server to one of a start, which says what can be done. Returns any other as it is. */
export function startError(cause: unknown, name: string): unknown {
  if (databaseError(cause) === cause) return cause;
  const [code, message] = explain(cause as NodeJS.ErrnoException, name);
  return new StartError(code, message, { cause });
}
