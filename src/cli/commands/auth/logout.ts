import type { Context } from '../../command.js';
import { changeUserConfig, readUserConfig } from '../../config/user-config.js';
import { usageError } from '../../lib/errors.js';
import { deleteFromKeyring, requireProfile, withKeyring } from '../shared/profiles.js';

/** Removes keys from a profile. The profile itself stays. */
export async function run({ type }: { type?: string | undefined }, context: Context): Promise<void> {
  const { settings, output } = context;
  const name = settings.profile ?? (await readUserConfig(settings.configDir)).current;
  if (name === undefined)
    throw usageError('There is no current profile.', 'Choose one with --profile NAME: tokenctl profile list');
  const { profile } = await requireProfile(name, context);
  const isRemoved = (key: string) => type === undefined || key === type;
  const removed = [...Object.keys(profile.keys ?? {}), ...(profile.keyring ?? [])].filter(isRemoved);
  const removesCommand = type === undefined && profile.key_command !== undefined;
  if (removed.length === 0 && !removesCommand)
    return output.notice(`The profile ${name} has no ${type ?? 'API'} key.`);
  await deleteFromKeyring(name, profile, isRemoved);
  await changeUserConfig(settings.configDir, (config) => {
    const { key_command, keyring = [], keys, ...rest } = config.profiles[name] ?? profile;
    config.profiles[name] = {
      ...rest,
      keys: Object.fromEntries(Object.entries(keys ?? {}).filter(([key]) => !isRemoved(key))),
      ...withKeyring(keyring.filter((key) => !isRemoved(key))),
      ...(!removesCommand && key_command !== undefined && { key_command }),
    };
  });
  const what = [...removed.map((key) => `the ${key} key`), ...(removesCommand ? ['the key command'] : [])];
  output.notice(
    `Removed ${what.join(', ')} from profile ${name}. The service still accepts what was removed.`,
  );
}
