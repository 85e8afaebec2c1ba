import type { FastifyRequest } from 'fastify';
import type { HeaderNames } from '../../src/contract/headers.js';
import { takesIdempotencyKey } from '../../src/contract/operation-row.js';
import { operationRow } from '../../src/contract/operations.js';
import { pathOf } from '../lib/request-path.js';
import { type Call, type Execute, idOfAccess, type OperationResult } from '../operations/context.js';
import type { Idempotency } from '../services/idempotency/idempotency.js';
import { callOf } from './request-properties.js';

/** Executes an operation, or repeats the response to its idempotency key. @throws ProblemError 409 while in flight */
export function executeOnce(
  { idempotencyKey }: HeaderNames,
  idempotency: Pick<Idempotency, 'run'>,
  execute: Execute,
): (request: FastifyRequest) => Promise<OperationResult> {
  const header = idempotencyKey.toLowerCase();
  return (request) => {
    const { operation, url, params, query, body } = request;
    if (!operation) throw new Error('The step must run after requireOperation.');
    const call = callOf(request);
    const input = { path: params as Record<string, string>, query, body };
    const run = (): Promise<OperationResult> => execute(operation, input, call);
    const row = operationRow(operation);
    const key = takesIdempotencyKey(row) ? request.headers[header] : undefined;
    if (typeof key !== 'string' || key === '')
      return operation === 'reactors.react' ? stopOnHangUp(request, call, run) : run();
    return idempotency.run(
      {
        tenantId: call.tenant.id,
        applicationId: idOfAccess(call),
        applicationRevision: (call.session ?? call.application).revision,
        method: row.method,
        path: pathOf(url),
        key,
        holdsSecrets: row.holdsSecrets ?? false,
      },
      (tokenIds, marker) => {
        call.tokenIds = tokenIds;
        if (marker) call.marker = marker;
        return run();
      },
    );
  };
}

/** Lets a call that may take long know that its caller has closed the connection. */
async function stopOnHangUp<Result>(
  { raw: { socket } }: FastifyRequest,
  call: Call,
  run: () => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  call.signal = controller.signal;
  // It may have been closed while the request waited for its turn.
  if (socket.destroyed) abort();
  socket.once('close', abort);
  try {
    return await run();
  } finally {
    socket.off('close', abort);
  }
}
