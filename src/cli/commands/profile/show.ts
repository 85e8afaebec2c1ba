import type { Context } from '../../command.js';
import { readUserConfig } from '../../config/user-config.js';
import { CliError } from '../../lib/errors.js';
import { profileSummary, requireProfile } from './profile.js';

export async function run({ name }: { name: string | undefined }, context: Context): Promise<void> {
  const { settings, output } = context;
  const wanted = name ?? settings.profile ?? (await readUserConfig(settings.configDir)).current;
  if (wanted === undefined)
    throw new CliError('not_found', 'There is no current profile.', {
      hint: 'Add one: tokenctl profile add NAME --base-url URL',
    });
  const { config, profile } = await requireProfile(wanted, context);
  await output.result(profileSummary(wanted, profile, config.current), { redaction: 'plain' });
}
