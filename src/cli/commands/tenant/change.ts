import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { parsePairs } from '../shared/input.js';

/** Settings from `key=value` pairs; the service checks the names. @throws {CliError} when a value is no boolean. */
export function parseSettings(pairs: readonly string[], flag: string): Record<string, 'true' | 'false'> {
  const settings = parsePairs(pairs, flag);
  for (const [name, value] of Object.entries(settings))
    if (value !== 'true' && value !== 'false') throw usageError(`${flag} ${name} must be true or false.`);
  return settings as Record<string, 'true' | 'false'>;
}

/** Changes the tenant; the name, which the service requires, stays when none is given. */
export async function changeTenant(
  change: { name?: string | undefined; settings?: Record<string, 'true' | 'false'> | undefined },
  { client }: Context,
) {
  const name = change.name ?? (await client.call('tenants.get', {})).name;
  return client.call('tenants.update', {
    body: { name, ...(change.settings && { settings: change.settings }) },
  });
}
