import { createHash } from 'node:crypto';
import { LIMITS } from '../../../src/contract/limits.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import type { IdempotencyRecord } from '../../store/records.js';

export interface IdempotentRequest {
  tenantId: string;
  applicationId: string;
  /** The revision of the application, whose permissions, rules or key may change. */
  applicationRevision?: number;
  method: string;
  path: string;
  key: string;
  /** The response holds token data or keys, and is therefore kept in memory only, unless processes share an encrypted store. */
  holdsSecrets: boolean;
}

export type StoredResponse = { status: number; body: unknown; headers?: Record<string, string> };

/** Identifies a key per application, method and path. Hashed, because a client may put anything into a key. */
export const recordId = ({ applicationId, method, path, key }: IdempotentRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([applicationId, method, path, key]))
    .digest('base64url');

/** The method of requests that stand for an asynchronous invocation. No HTTP request has it. */
export const RESULT_METHOD = 'RESULT';

/** Stands for the response of a request that has changed something, but has none yet: it is committed with what is changed. */
export const MARK: StoredResponse = { status: 0, body: null };

/** Creates the record of a response. @param now the emulator's time, in milliseconds since 1970 */
export function createRecord(
  id: string,
  { status, body, headers }: StoredResponse,
  { tenantId, applicationId, tokenIds }: InFlightRequest,
  { applicationRevision }: IdempotentRequest,
  now: number,
): IdempotencyRecord {
  return {
    id,
    tenant_id: tenantId,
    ...(applicationId !== undefined && { application_id: applicationId }),
    ...(applicationRevision !== undefined && { application_revision: applicationRevision }),
    status,
    body,
    ...(headers && { headers }),
    token_ids: [...tokenIds],
    created_at: formatTimestamp(now),
    expires_at: formatTimestamp(now + LIMITS.idempotencyLifetimeMs),
  };
}

export const isMark = ({ status }: IdempotencyRecord): boolean => status === MARK.status;

/** Bytes of a stored response besides its body: the record, its ids and its indexes. They bound the number of responses, too. */
const RESPONSE_BYTES = 1_024;
const TOKEN_ID_BYTES = 128;

/** Estimates the memory, or the place on disk, of a response whose body is this JSON, in bytes. */
export function bytesOfResponse(json: string | undefined, tokenIds: readonly string[]): number {
  return RESPONSE_BYTES + tokenIds.length * TOKEN_ID_BYTES + Buffer.byteLength(json ?? '');
}

/** An in-flight request whose response will be stored. */
export interface InFlightRequest {
  tenantId: string;
  /** Absent for requests that do not end with the access of an application. */
  applicationId?: string;
  /** Ids of the tokens that the request has used so far. The set grows while the request runs. */
  tokenIds: ReadonlySet<string>;
  /** One of the tokens, or the access of the application, was changed: the response must not be stored. */
  discarded: boolean;
}

/** Marks requests as discarded: those of a tenant, of an application of it, or those that used one of its tokens. */
export function discardInFlight(
  requests: Iterable<InFlightRequest>,
  tenantId: string,
  { applicationId, tokenIds }: { applicationId?: string; tokenIds?: readonly string[] } = {},
): void {
  for (const request of requests) {
    if (request.tenantId !== tenantId) continue;
    if (applicationId !== undefined && request.applicationId !== applicationId) continue;
    if (tokenIds === undefined || tokenIds.some((id) => request.tokenIds.has(id))) request.discarded = true;
  }
}
