import type { Context } from '../../command.js';
import { changeUserConfig } from '../../config/user-config.js';
import { confirmLocalDeletion } from '../shared/confirm.js';
import { deleteFromKeyring, requireProfile } from './profile.js';

export async function run({ name }: { name: string }, context: Context): Promise<void> {
  const { profile } = await requireProfile(name, context);
  await confirmLocalDeletion(`profile ${name} with its keys`, context);
  await deleteFromKeyring(name, profile);
  await changeUserConfig(context.settings.configDir, (config) => {
    delete config.profiles[name];
    if (config.current === name) delete config.current;
  });
  context.output.notice(`Removed profile ${name}.`);
}
