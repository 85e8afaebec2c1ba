import type { Context } from '../../command.js';
import { changeUserConfig } from '../../config/user-config.js';
import { confirmDeletion } from '../shared/confirm.js';
import { requireProfile } from './profile.js';

export async function run(
  { name, yes }: { name: string; yes?: boolean | undefined },
  context: Context,
): Promise<void> {
  await requireProfile(name, context);
  await confirmDeletion(`profile ${name} with its keys`, yes, context);
  await changeUserConfig(context.settings.configDir, (config) => {
    delete config.profiles[name];
    if (config.current === name) delete config.current;
  });
  context.output.notice(`Removed profile ${name}.`);
}
