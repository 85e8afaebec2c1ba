import { dirname } from 'node:path';
import { ConnectionError, ProtocolError, ServiceError, TimeoutError } from '../../client/errors.js';
import { PathParameterError } from '../../contract/operation-row.js';
import { CliError, describeFileError, type Failure, type FailureCategory, usageError } from './errors.js';

function categoryOf(status: number): FailureCategory {
  if (status === 400 || status === 415 || status === 422) return 'invalid';
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 408) return 'timeout';
  return status === 429 ? 'rate_limited' : 'failed';
}

export const CHECK_KEY = 'Check the key: tokenctl auth status';

const HINTS: Partial<Record<number, string>> = {
  401: CHECK_KEY,
  413: 'Send smaller requests.',
  429: 'Wait before you try again, or send fewer requests at a time.',
  507: 'Free disk space on the host of the service.',
};

const CHECK_PROXY = 'Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY: tokenctl doctor';

function serviceHint({ status, problem, retryAfter, proxy }: ServiceError): string | undefined {
  if (status === 429 && retryAfter !== undefined)
    return `The service accepts requests again ${retryAfter === 0 ? 'now' : `in ${retryAfter} s`}.`;
  if (status >= 300 && status < 400) return 'The base URL redirects elsewhere; redirects are not followed.';
  if (proxy !== undefined) return CHECK_PROXY;
  // A tenant may have used up its room while the disk has enough.
  return status === 507 && !problem.detail?.includes('disk') ? undefined : HINTS[status];
}

function serviceFailure(error: ServiceError): Failure {
  const { status, problem, traceId, proxy } = error;
  return {
    category: categoryOf(status),
    status,
    title: problem.title,
    detail:
      problem.detail ??
      `The service${proxy === undefined ? '' : ` or the proxy ${proxy}`} returned status ${status} without a reason.`,
    errors: problem.errors,
    traceId,
    hint: serviceHint(error),
  };
}

function fileFailure(code: string, path: string): Failure {
  const denied = code === 'EACCES' || code === 'EPERM';
  const hint = denied ? `Check who may use it: ls -ld ${dirname(path)} ${path}` : undefined;
  return failure('failed', 'File Error', `${path}: ${describeFileError(code)}.`, hint);
}

function failure(category: FailureCategory, title: string, detail: string, hint?: string): Failure {
  return { category, title, detail, hint };
}

/** Node's codes for a certificate whose issuer this machine does not trust. */
const UNTRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)/;

function connectionHint({ code, proxy }: ConnectionError): string {
  if (UNTRUSTED.test(code))
    return 'Trust the certificate with NODE_EXTRA_CA_CERTS=FILE, or find out more: tokenctl doctor';
  return proxy === undefined ? 'Check the base URL and the network: tokenctl doctor' : CHECK_PROXY;
}

/** Converts anything thrown to a failure: errors of the CLI, of the client, of the service and of the system. */
export function toFailure(error: unknown): Failure {
  if (error instanceof CliError) return error.failure;
  if (error instanceof ServiceError) return serviceFailure(error);
  if (error instanceof ConnectionError)
    return failure('unreachable', 'Unreachable', error.message, connectionHint(error));
  if (error instanceof TimeoutError)
    return failure('timeout', 'Timeout', error.message, 'Increase --timeout.');
  if (error instanceof ProtocolError)
    return failure(
      'failed',
      'Unexpected Response',
      error.message,
      'Check that the base URL is that of the API.',
    );
  if (error instanceof PathParameterError)
    return usageError(error.message, error.cause ? undefined : 'Is a shell variable unset?').failure;
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'MODULE_NOT_FOUND' && error instanceof Error && /\/dist\//.test(error.message))
    return new CliError('failed', 'tokenctl was rebuilt or updated while this command ran.', {
      hint: 'Run it again.',
    }).failure;
  // System errors: the code and the path contain no token data; other messages might.
  if (typeof code === 'string' && path !== undefined) return fileFailure(code, path);
  const hint = 'This is probably a bug in tokenctl. Run with --debug for a stack trace.';
  return failure('failed', 'Unexpected Error', error instanceof Error ? error.message : String(error), hint);
}
