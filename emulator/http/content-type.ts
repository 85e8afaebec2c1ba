import type { IncomingHttpHeaders } from 'node:http';
import { JSON_CONTENT_TYPE, MERGE_PATCH_CONTENT_TYPE } from '../../src/contract/headers.js';
import type { OperationRow } from '../../src/contract/operation.js';
import { operationRow } from '../../src/contract/operations.js';
import { problem } from '../problems/problem.js';
import type { Step } from './step.js';

/** Checks the Content-Type of a request whose operation takes a body. */
export const requireContentType: Step = ({ operation, headers }) => {
  if (!operation) return;
  const { body, optionalBody } = operationRow(operation);
  // Some clients name a type although they send no body.
  if (body && !(optionalBody && !hasBody(headers))) checkContentType(body, headers);
  // A body that is ignored may have any type; Fastify would reject a malformed one.
  else if (headers['content-type'] !== undefined) delete headers['content-type'];
};

/**
 * Parameters such as a charset are accepted. A POST or PUT without a body needs no type and fails its validation later; a
 * PATCH always needs its type (spec, PATCH /tokens/{id}).
 * @throws ProblemError 415
 */
export function checkContentType(
  body: NonNullable<OperationRow['body']>,
  headers: IncomingHttpHeaders,
): void {
  const expected = body === 'json' ? JSON_CONTENT_TYPE : MERGE_PATCH_CONTENT_TYPE;
  const contentType = headers['content-type'];
  if (contentType?.split(';', 1)[0]?.trim().toLowerCase() === expected) return;
  if (body === 'json' && contentType === undefined && !hasBody(headers)) return;
  throw problem('unsupportedMediaType', `The header Content-Type must be ${expected}.`);
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
