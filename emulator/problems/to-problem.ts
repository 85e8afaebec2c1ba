import type { FastifyError } from 'fastify';
import type { Logger } from '../lib/logger.js';
import { ConflictError, StorageFullError } from '../store/errors.js';
import { ProblemError, problem, validationProblem } from './problem.js';

/** Errors of the framework that a request can cause, by code. */
const FRAMEWORK: Record<string, () => ProblemError> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    validationProblem({ body: ['must be as long as the header Content-Length says'] }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    problem('unsupportedMediaType', 'The header Content-Type must be a media type.'),
  FST_ERR_BAD_URL: () => problem('validation', 'The path is not valid percent-encoding.'),
};

/** Every error as a problem. What the emulator did not foresee is logged and answered with 500, without its message. */
export function toProblem(error: unknown, traceId: string, logger: Logger): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StorageFullError) {
    return problem('storageFull', 'There is no room left on the disk; nothing was changed.');
  }
  if (isTenantGone(error)) return problem('unauthenticated', 'The tenant of the key has been deleted.');
  const known = FRAMEWORK[(error as Partial<FastifyError> | undefined)?.code ?? ''];
  if (known) return known();
  if (isAborted(error))
    return problem('validation', 'The connection was closed before the request was complete.');
  logger.error(`The request with trace id ${traceId} failed`, error);
  return problem('internal', 'The emulator could not answer; its log tells more under the trace id.');
}

/** Deleted while the request was on its way. */
function isTenantGone(error: unknown): boolean {
  return error instanceof ConflictError && error.collection === 'tenants' && error.reason === 'missing';
}

/** The client went away in the middle of its body: nobody reads the answer, and nothing is wrong here. */
function isAborted(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.message === 'aborted' &&
    (error as NodeJS.ErrnoException).code === 'ECONNRESET'
  );
}
