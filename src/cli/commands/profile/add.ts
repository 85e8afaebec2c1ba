import type { Context } from '../../command.js';
import { validateBaseUrl } from '../../config/base-url.js';
import { changeUserConfig, readUserConfig } from '../../config/user-config.js';
import { usageError } from '../../lib/errors.js';
import { checkProfileName, profileSummary } from './profile.js';

interface AddOptions {
  name: string;
  protected?: boolean | undefined;
  keyCommand?: string | undefined;
  use?: boolean | undefined;
}

export async function run(
  { name, use, keyCommand, protected: isProtected }: AddOptions,
  context: Context,
): Promise<void> {
  const { settings, output, prompts } = context;
  checkProfileName(name);
  const config = await readUserConfig(settings.configDir);
  if (Object.hasOwn(config.profiles, name))
    throw usageError(
      `The profile ${name} already exists.`,
      `Remove it first, or add a key to it: tokenctl auth login --profile ${name}`,
    );
  // The environment selects the target of this run only, not that of a new profile.
  const given = settings.baseUrlSource === '--base-url' ? settings.baseUrl : undefined;
  const text = given ?? (await prompts.text({ flag: '--base-url', message: 'Base URL' }));
  const profile = {
    base_url: validateBaseUrl(text, '--base-url'),
    ...(settings.headerPrefix !== undefined && { header_prefix: settings.headerPrefix }),
    keys: {},
    ...(keyCommand !== undefined && { key_command: keyCommand }),
    ...(isProtected && { protected: true }),
  };
  await changeUserConfig(settings.configDir, (changed) => {
    changed.profiles[name] = profile;
    if (use) changed.current = name;
  });
  await output.result(profileSummary(name, profile, use ? name : config.current), {
    redaction: 'plain',
  });
  if (keyCommand === undefined) output.notice(`Add its keys: tokenctl auth login --profile ${name}`);
}
