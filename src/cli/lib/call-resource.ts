import type { Client } from '../../client/client.js';
import { operationOf } from '../../contract/operations.js';
import type { Resource, Verb } from '../../contract/resources.js';

/** Calls an operation of a resource. The service validates what the command line cannot. */
export function callResource(
  client: Client,
  resource: Resource,
  verb: Verb,
  input: { path?: { id: string }; query?: object; body?: object },
): Promise<unknown> {
  // The compiler cannot relate the input to an operation that only a running program knows.
  return client.call(operationOf(resource, verb), input as never);
}
