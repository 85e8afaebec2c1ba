import type { IncomingHttpHeaders } from 'node:http';
import { JSON_CONTENT_TYPE, MERGE_PATCH_CONTENT_TYPE } from '../../src/contract/headers.js';
import type { OperationRow } from '../../src/contract/operation.js';
import { problem } from './problem.js';

function mediaType(contentType: string | undefined): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase();
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
  const actual = mediaType(headers['content-type']);
  if (actual === expected) return;
  if (row.body === 'json' && actual === undefined && !hasBody(headers)) return;
  throw problem('unsupportedMediaType', `The header Content-Type must be ${expected}.`);
}
