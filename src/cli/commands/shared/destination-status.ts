import type { ClientResponse } from '../../../client/response.js';
import { CliError } from '../../lib/errors.js';

/** @throws {CliError} if the destination of a proxy responded with an error, which no other response of the client is */
export function assertDestinationSucceeded({ status }: ClientResponse): void {
  if (status >= 400)
    throw new CliError('failed', `The destination of the proxy responded ${status}.`, { status });
}
