import type { FastifyError } from 'fastify';
import {
  CONTROL_IDS,
  CONTROL_PREFIX,
  controlEndpoint,
  TENANT_SCOPE,
} from '../../src/contract/control/endpoints.js';
import { nameOfNotEmulated } from '../../src/contract/not-emulated.js';
import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';
import { isProxied, PROXY_METHODS } from '../../src/contract/proxies.js';
import { internalErrorMessage, type Logger } from '../lib/logger.js';
import { pathOf } from '../lib/request-path.js';
import {
  ConflictError,
  DamagedError,
  StorageError,
  StorageFullError,
  StoreUnavailableError,
} from '../store/errors.js';
import { ProblemError, problem, retryableProblem, validationProblem } from './problem.js';

const FRAMEWORK: Record<string, () => ProblemError> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    validationProblem({ body: ['must have the length given in the header Content-Length'] }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    problem('unsupportedMediaType', 'The header Content-Type must be a media type.'),
  FST_ERR_BAD_URL: () => problem('validation', 'The path is not valid percent-encoding.'),
};

/** Converts any error to a problem. An unexpected one is logged and becomes a 500 without its message. */
export function toProblem(error: unknown, traceId: string, logger: Logger): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StorageFullError)
    return problem('storageFull', 'The disk is full. Nothing was changed.');
  if (error instanceof StoreUnavailableError)
    return retryableProblem('unavailable', 'The database cannot be reached. Try again.');
  if (error instanceof DamagedError) return problem('storageDamaged', error.message);
  if (error instanceof StorageError) {
    logger.error(`The request with trace id ${traceId} failed`, error);
    return retryableProblem('unavailable', `${error.message}. Nothing was changed.`);
  }
  if (isTenantGone(error)) return problem('unauthenticated', 'The tenant of the key has been deleted.');
  const known = FRAMEWORK[(error as Partial<FastifyError> | undefined)?.code ?? ''];
  if (known) return known();
  if (isAborted(error))
    return problem('validation', 'The connection was closed before the request was complete.');
  logger.error(`The request with trace id ${traceId} failed`, error);
  // A build or an update replaces the files that are loaded when they are needed.
  if ((error as NodeJS.ErrnoException | undefined)?.code?.endsWith('MODULE_NOT_FOUND'))
    return problem('internal', 'tokenctl was built again or updated while this emulator ran. Restart it.');
  return problem('internal', internalErrorMessage(traceId));
}

/** The tenant was deleted while the request was in flight. */
export function isTenantGone(error: unknown): boolean {
  return error instanceof ConflictError && error.collection === 'tenants' && error.reason === 'missing';
}

/** The client disconnected while sending its body. Nobody reads the response, and there is nothing to log. */
function isAborted(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.message === 'aborted' &&
    (error as NodeJS.ErrnoException).code === 'ECONNRESET'
  );
}

const ENDPOINTS = CONTROL_IDS.map(controlEndpoint).flatMap(({ method, path, perTenant }) => [
  { method, path: CONTROL_PREFIX + path },
  ...(perTenant ? [{ method, path: CONTROL_PREFIX + TENANT_SCOPE + path }] : []),
]);

const ROUTES = [...OPERATION_IDS.map(operationRow), ...ENDPOINTS].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The first parts of the operations' paths. */
const EMULATED = [...new Set(OPERATION_IDS.map((id) => `/${operationRow(id).path.split('/')[1]}`))];

/** Returns 405 with `Allow`, 501 for a path that only others of the API family have, or 404. */
export function notFoundProblem(url: string): ProblemError {
  const path = pathOf(url);
  const methods = methodsOf(path);
  if (methods.length === 0) {
    const name = nameOfNotEmulated(path);
    if (name === undefined) return problem('notFound', 'There is nothing at this path.');
    return problem('notEmulated', `The emulator does not have ${name}. It has ${EMULATED.join(', ')}.`);
  }
  const allow = methods.join(', ');
  return new ProblemError('methodNotAllowed', `The path offers ${allow}.`, { headers: { Allow: allow } });
}

/** The methods that a path offers; empty for an unknown path. */
function methodsOf(path: string): readonly string[] {
  if (isProxied(path)) return PROXY_METHODS;
  return [...new Set(ROUTES.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
}
