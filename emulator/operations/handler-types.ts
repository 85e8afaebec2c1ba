import type { OperationId, Operations } from '../../src/contract/operations.js';
import type { OperationRequest, OperationResponse } from '../../src/contract/schemas/index.js';
import type { CollectionName, Records, Stored } from '../store/records.js';
import type { Call } from './call.js';
import type { Context } from './context.js';

/** The collection whose record the path id names; `never` for a path without id. */
type ResourceCollection<Path extends string> = Path extends `/${infer Collection}/{id}${string}`
  ? Collection & CollectionName
  : never;

/** The collections that a path id may refer to. */
export type ResourceName = ResourceCollection<Operations[OperationId]['path']>;

/** A validated request, with the resource that its path id names. */
type HandlerRequest<Id extends OperationId> = OperationRequest<Id> &
  ([ResourceCollection<Operations[Id]['path']>] extends [never]
    ? unknown
    : { resource: Stored<Records[ResourceCollection<Operations[Id]['path']>]> });

/** Executes one operation. The permission, the path id and the request have been checked. @throws ProblemError */
export type Handler<Id extends OperationId> = (
  request: HandlerRequest<Id>,
  call: Call,
  context: Context,
) => Promise<OperationResponse<Id>>;

/** One handler per operation; a missing one is a compile error. */
export type Handlers = { [Id in OperationId]: Handler<Id> };
