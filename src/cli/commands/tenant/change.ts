import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { parsePairs } from '../shared/input.js';

/** Parses settings; the service validates their names. @throws {CliError} when a value is not true or false */
export function parseSettings(pairs: readonly string[], flag: string): Record<string, 'true' | 'false'> {
  const settings = parsePairs(pairs, flag);
  for (const [name, value] of Object.entries(settings))
    if (value !== 'true' && value !== 'false') throw usageError(`${flag} ${name} must be true or false.`);
  return settings as Record<string, 'true' | 'false'>;
}

/** Changes the tenant. The service requires a name, so without one the current name is sent. */
export async function changeTenant(
  change: { name?: string | undefined; settings?: Record<string, 'true' | 'false'> | undefined },
  { client }: Context,
) {
  const name = change.name ?? (await client.call('tenants.get', {})).name;
  return client.call('tenants.update', {
    body: { name, ...(change.settings && { settings: change.settings }) },
  });
}
