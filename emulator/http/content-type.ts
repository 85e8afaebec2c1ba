import type { IncomingHttpHeaders } from 'node:http';
import { JSON_CONTENT_TYPE, MERGE_PATCH_CONTENT_TYPE } from '../../src/contract/headers.js';
import type { OperationRow } from '../../src/contract/operation.js';
import { problem } from '../problems/problem.js';

function isOfType(contentType: string | undefined, expected: string): boolean {
  return contentType === expected || contentType?.split(';', 1)[0]?.trim().toLowerCase() === expected;
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Parameters such as a charset are allowed. Without any body there is no wrong type: a POST or PUT then fails its
 * validation; a PATCH needs its type always (spec, PATCH /tokens/{id}).
 *
 * @throws ProblemError 415
 */
export function checkContentType(row: OperationRow, headers: IncomingHttpHeaders): void {
  if (row.body === undefined) return;
  const expected = row.body === 'json' ? JSON_CONTENT_TYPE : MERGE_PATCH_CONTENT_TYPE;
  const contentType = headers['content-type'];
  if (isOfType(contentType, expected)) return;
  if (row.body === 'json' && contentType === undefined && !hasBody(headers)) return;
  throw problem('unsupportedMediaType', `The header Content-Type must be ${expected}.`);
}
