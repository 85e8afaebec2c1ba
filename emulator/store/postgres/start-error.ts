import { StartError, type StartErrorCode } from '../../lib/start-error.js';
import { isCertificateError } from './errors.js';

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
    when: isCertificateError,
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
