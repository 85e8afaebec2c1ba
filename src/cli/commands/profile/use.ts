import type { Context } from '../../command.js';
import { changeUserConfig } from '../../config/user-config.js';
import { requireProfile } from './profile.js';

export async function run({ name }: { name: string }, context: Context): Promise<void> {
  await requireProfile(name, context);
  await changeUserConfig(context.settings.configDir, (config) => {
    config.current = name;
  });
  context.output.notice(`The current profile is now ${name}.`);
}
