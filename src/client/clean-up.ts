import type { OperationId } from '../contract/operations.js';
import { type Client, createClient } from './client.js';

/** Milliseconds; several calls fit into the time that a command has to clean up after Ctrl-C. */
const TIMEOUT_MS = 4_000;

/** Returns a client whose requests, once sent, are awaited even after Ctrl-C, so that what they did is known. */
export function awaitingClient(client: Client, beforeRetry?: () => Promise<void>): Client {
  const call = (id: OperationId, input: object = {}) =>
    client.call(id as 'tenants.get', { ...input, uninterrupted: true, beforeRetry });
  return { ...client, call: call as Client['call'] };
}

/** Creates a client that undoes half a job after Ctrl-C. @param hurried it has been pressed: requests have less time */
export function cleanUpClient(client: Client, hurried = true): Client {
  return createClient({ connect: () => client.connection(), timeoutMs: hurried ? TIMEOUT_MS : undefined });
}
