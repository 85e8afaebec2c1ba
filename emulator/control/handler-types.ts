import type { FastifyReply } from 'fastify';
import type { ControlId } from '../../src/contract/control/endpoints.js';
import type { ControlBody, ControlRequest } from '../../src/contract/control/schemas.js';

/**
 * Serves a control endpoint: takes the checked request, returns the body of success.
 * @param reply for a response that is not JSON.
 */
type ControlHandler<Id extends ControlId> = (
  request: ControlRequest<Id>,
  reply: FastifyReply,
) => ControlBody<Id> | Promise<ControlBody<Id>>;

/** The endpoints that have a handler; the page of the dashboard is a file. */
export type HandledId = Exclude<ControlId, 'dashboard'>;

/** A handler for every endpoint of the table; a missing one is a compile error. */
export type ControlHandlers = { readonly [Id in HandledId]: ControlHandler<Id> };
