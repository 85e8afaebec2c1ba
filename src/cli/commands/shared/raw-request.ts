import type { ClientResponse } from '../../../client/response.js';
import { headerNames } from '../../../contract/headers.js';
import type { Context } from '../../command.js';
import { CliError, usageError } from '../../lib/errors.js';

/** Parses `Name: value` pairs; the names become lower case. @throws {CliError} for the API key header, because arguments are visible to other processes */
export async function parseHeaders(
  headers: readonly string[],
  { client }: Context,
): Promise<Record<string, string>> {
  const parsed: Record<string, string> = {};
  if (headers.length === 0) return parsed;
  const { apiKey } = headerNames((await client.connection()).headerPrefix);
  for (const header of headers) {
    const colon = header.indexOf(':');
    if (colon < 1) throw usageError('--header must have the form "Name: value".');
    const name = header.slice(0, colon).trim().toLowerCase();
    if (name === apiKey.toLowerCase())
      throw usageError(
        `--header must not set ${apiKey}, because other processes can read the arguments of a command.`,
        'Use --key-file FILE or TOKENCTL_API_KEY.',
      );
    parsed[name] = header.slice(colon + 1).trim();
  }
  return parsed;
}

/** @throws {CliError} if the destination of a proxy responded with an error, which no other response of the client is */
export function assertDestinationSucceeded({ status }: ClientResponse): void {
  if (status >= 400)
    throw new CliError('failed', `The destination of the proxy responded ${status}.`, { status });
}
