import { type Client, createClient } from './client.js';

/** Several calls fit into the time that a command has to clean up after Ctrl-C. Milliseconds. */
const TIMEOUT_MS = 4_000;

/**
 * A client for putting back what a command has changed: the command's own may be aborted by Ctrl-C, which must not leave
 * half a job on the service.
 * @param hurried whether Ctrl-C has been pressed; otherwise a slow service is waited for as ever.
 */
export function cleanUpClient(client: Client, hurried = true): Client {
  return createClient({
    connect: () => client.connection(),
    timeoutMs: hurried ? TIMEOUT_MS : undefined,
  });
}
