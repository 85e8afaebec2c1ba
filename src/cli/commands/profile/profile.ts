import type { Context } from '../../command.js';
import { type Profile, readUserConfig } from '../../config/user-config.js';
import { CliError, usageError } from '../../lib/errors.js';

/** A profile as it is shown: which keys it has, never the keys. */
export function profileSummary(
  name: string,
  { base_url, header_prefix, keys }: Profile,
  current: string | undefined,
) {
  return {
    name,
    current: name === current,
    base_url,
    ...(header_prefix !== undefined && { header_prefix }),
    keys: Object.entries(keys ?? {})
      .filter(([, key]) => key !== undefined)
      .map(([type]) => type),
  };
}

/** @throws {CliError} */
export function checkProfileName(name: string): void {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name) || name === '__proto__')
    throw usageError(
      'A profile name starts with a letter or digit, and goes on with those, "_", "-" and ".".',
    );
}

/** @throws {CliError} when there is none of this name. */
export async function requireProfile(name: string, { settings }: Context) {
  const config = await readUserConfig(settings.configDir);
  const profile = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  if (!profile)
    throw new CliError('not_found', `There is no profile ${JSON.stringify(name)}.`, {
      hint: 'See: tokenctl profile list',
    });
  return { config, profile };
}
