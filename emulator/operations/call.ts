import type { OperationId } from '../../src/contract/operations.js';
import type { OperationResponse } from '../../src/contract/schemas/index.js';
import type { Caller } from '../access/caller-registry.js';
import type { Charge } from '../services/admission.js';
import type { Audited } from '../services/audit-log.js';
import type { IdempotencyMarker } from '../services/idempotency/marker.js';
import type { CallChecks } from '../services/request-record/call-checks.js';
import type { RequestRecord } from '../services/request-record/request-record.js';

/** One call of an operation: the authenticated caller, over HTTP or through `svc` of a reactor. */
export interface Call extends Caller {
  traceId: string;
  /** The record of the request that the call belongs to. */
  record: RequestRecord;
  /** What the call asked its access controls. */
  checks: CallChecks;
  /** Number of reactors above this call in a chain of `svc.reactors.react`; 0 over HTTP. */
  depth: number;
  /**
   * Present when the response will be stored under an idempotency key. Add the id of every token that the response shows
   * or holds data of, so that the stored response is deleted with the token.
   */
  tokenIds?: Set<string>;
  /** Present with `tokenIds` when other processes share the store: the commits of the call go through it. */
  marker?: IdempotencyMarker;
  /** What the request holds. Absent in calls of the emulator itself. */
  charge?: Charge;
  /** The last audit entry of the call: what the event log says of it. */
  audited?: Audited | undefined;
}

/** The parts of a request, not validated. */
export interface OperationInput {
  /** Path parameters by name. */
  path?: Readonly<Record<string, string>>;
  query?: unknown;
  body?: unknown;
}

/** The response of an operation, in its general shape. */
export interface OperationResult {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Executes an operation for a caller that holds its permission. @throws ProblemError */
export type Execute = <Id extends OperationId>(
  id: Id,
  input: OperationInput,
  call: Call,
) => Promise<OperationResponse<Id>>;
