import type { Context } from '../../command.js';
import { otherProfiles, type Profile, readUserConfig } from '../../config/user-config.js';
import { CliError, usageError } from '../../lib/errors.js';

export function profileSummary(
  name: string,
  { base_url, header_prefix, keys, key_command, protected: isProtected }: Profile,
  current: string | undefined,
) {
  return {
    name,
    current: name === current,
    base_url,
    ...(header_prefix !== undefined && { header_prefix }),
    ...(isProtected && { protected: true }),
    ...(key_command !== undefined && { key_command }),
    keys: Object.entries(keys ?? {})
      .filter(([, key]) => key !== undefined)
      .map(([type]) => type),
  };
}

export function checkProfileName(name: string): void {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name) || name === '__proto__')
    throw usageError(
      'A profile name must start with a letter or digit and contain only letters, digits, "_", "-" and ".".',
    );
}

export async function requireProfile(name: string, { settings }: Context) {
  const config = await readUserConfig(settings.configDir);
  const profile = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  if (!profile)
    throw new CliError('not_found', `The profile ${JSON.stringify(name)} does not exist.`, {
      hint: otherProfiles(name, Object.keys(config.profiles)),
    });
  return { config, profile };
}
