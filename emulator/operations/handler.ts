import type { OperationId, Operations } from '../../src/contract/operations.js';
import type { OperationRequest, OperationResponse } from '../../src/contract/schemas/index.js';
import type { Caller } from '../access/caller-registry.js';
import type { CollectionName, Records, Stored } from '../store/records.js';
import type { Context } from './context.js';

/** One call of an operation: who makes it, over HTTP or from a reactor's `svc`. */
export interface Call extends Caller {
  traceId: string;
  /** Reactors above this call in a chain of `svc.reactors.react`; 0 over HTTP. */
  depth: number;
  /**
   * Present when the answer will be stored under an idempotency key: add the id of every token that it shows or holds
   * data of, so that the stored answer goes when the token goes.
   */
  tokenIds?: Set<string>;
}

/** The record that the id in a path names, loaded before the body is validated: a 404 comes before a 400. */
type ResourceCollection<Path extends string> = Path extends `/tokens/{id}${string}`
  ? 'tokens'
  : Path extends `/reactors/{id}${string}`
    ? 'reactors'
    : Path extends `/applications/{id}${string}`
      ? 'applications'
      : never;

/** The collections that an id in a path may name. */
export type ResourceName = ResourceCollection<Operations[OperationId]['path']> & CollectionName;

/** A checked request, with the record that its path id names. */
export type HandlerRequest<Id extends OperationId> = OperationRequest<Id> &
  ([ResourceCollection<Operations[Id]['path']>] extends [never]
    ? unknown
    : { target: Stored<Records[ResourceCollection<Operations[Id]['path']>]> });

/** Carries out one operation: key, permission, path id and request are checked. Failures are thrown as problems. */
export type Handler<Id extends OperationId> = (
  request: HandlerRequest<Id>,
  call: Call,
  context: Context,
) => Promise<OperationResponse<Id>>;

/** One handler per operation; a missing one is a compile error. */
export type Handlers = { [Id in OperationId]: Handler<Id> };

/** Carries out an operation in-process, with the checks of a request (permission, path id, query, body). */
export type Execute = <Id extends OperationId>(
  id: Id,
  input: { path?: Record<string, string>; query?: unknown; body?: unknown },
  call: Call,
) => Promise<OperationResponse<Id>>;
