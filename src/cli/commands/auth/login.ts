import { ServiceError } from '../../../client/errors.js';
import { APPLICATION_TYPES } from '../../../contract/application-types.js';
import type { Application } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { assertEncrypted, isExposed, validateBaseUrl } from '../../config/base-url.js';
import { readKeyFile } from '../../config/keys.js';
import { changeUserConfig, type Profile, readUserConfig } from '../../config/user-config.js';
import { clientFor, openTransport } from '../../connect.js';
import { CliError, usageError } from '../../lib/errors.js';
import { readSource } from '../shared/input.js';
import { checkProfileName, profileSummary, requireProfile } from '../shared/profiles.js';

const DEFAULT_PROFILE = 'default';

export async function logIn({ type }: { type?: string | undefined }, context: Context) {
  const { settings, output } = context;
  const { name, profile, current, isNew } = await profileToChange(context);
  assertEncrypted(profile.base_url, settings);
  if (isExposed(profile.base_url))
    output.warn(`The connection to ${profile.base_url} is not encrypted. The key is sent in plain text.`);
  const key = await readKey(context);
  const application = await applicationOf(key, profile, context);
  const slot = APPLICATION_TYPES.find((known) => known === type) ?? application?.type;
  if (slot === undefined)
    throw usageError(
      'The service does not report the type of this key.',
      'Set --type to management, private or public.',
    );
  if (application && type !== undefined && type !== application.type)
    throw usageError(`The key is of type ${application.type}, not ${type}.`);
  const changed = { ...profile, keys: { ...profile.keys, [slot]: key } };
  await changeUserConfig(settings.configDir, (config) => {
    config.profiles[name] = changed;
    if (isNew) config.current ??= name;
  });
  await output.plain(profileSummary(name, changed, isNew ? (current ?? name) : current));
  output.notice(
    `Stored the ${slot} key${application ? ` of the application ${application.name}` : ''} in profile ${name}.`,
  );
}

async function profileToChange({ settings, prompts }: Context) {
  const { profiles, current } = await readUserConfig(settings.configDir);
  const name = settings.profile ?? current ?? DEFAULT_PROFILE;
  checkProfileName(name);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  const given =
    settings.baseUrl === undefined ? undefined : validateBaseUrl(settings.baseUrl, settings.baseUrlSource);
  if (profile) {
    if (given !== undefined && given !== profile.base_url)
      throw usageError(
        `The profile ${name} is for ${profile.base_url}, not for ${given} (${settings.baseUrlSource}).`,
        'Choose another profile with --profile.',
      );
    return { name, profile, current, isNew: false };
  }
  if (given === undefined && settings.profile !== undefined)
    throw usageError(
      `The profile ${name} does not exist.`,
      `Set --base-url URL, or add it: tokenctl profile add ${name} --base-url URL`,
    );
  if (given === undefined && !prompts.interactive)
    throw usageError('Which service is the key for?', 'tokenctl auth login --base-url https://…');
  const typed = { flag: '--base-url', message: 'Base URL of the service' };
  const base_url = given ?? validateBaseUrl(await prompts.text(typed), '--base-url');
  return { name, profile: { base_url, keys: {} }, current, isNew: true };
}

async function readKey(context: Context): Promise<string> {
  const { settings, prompts } = context;
  if (settings.keyFile !== undefined) return readKeyFile(settings.cwd, settings.keyFile);
  const key = prompts.interactive
    ? await prompts.secret({ flag: '--key-file', message: 'API key' })
    : settings.terminal.stdin
      ? ''
      : (await readSource('-', '--key-file', context)).trim();
  if (key === '')
    throw usageError('The key is missing. Use --key-file FILE, or pass the key on standard input.');
  if (/\s/.test(key)) throw usageError('The input must be one key, without spaces or line breaks in it.');
  return key;
}

async function applicationOf(
  key: string,
  { base_url, header_prefix }: Profile,
  { settings, signal }: Context,
): Promise<Application | undefined> {
  const client = clientFor({ settings, signal }, async () => ({
    transport: await openTransport(base_url, settings),
    headerPrefix: settings.headerPrefix ?? header_prefix,
    apiKey: () => key,
  }));
  try {
    return await client.call('applications.key', {});
  } catch (error) {
    if (error instanceof ServiceError && error.status === 401)
      throw new CliError('unauthorized', `${base_url} does not accept this key.`, { traceId: error.traceId });
    // 404, 405: the service does not have this extension. 403: the key is valid but not allowed to call it.
    if (error instanceof ServiceError && [403, 404, 405].includes(error.status)) return undefined;
    throw error;
  } finally {
    await client.close();
  }
}

export async function logOut({ type }: { type?: string | undefined }, context: Context) {
  const { settings, output } = context;
  const name = settings.profile ?? (await readUserConfig(settings.configDir)).current;
  if (name === undefined)
    throw usageError('There is no current profile.', 'Choose one with --profile NAME: tokenctl profile list');
  const { profile } = await requireProfile(name, context);
  const isRemoved = (key: string) => type === undefined || key === type;
  const removed = Object.keys(profile.keys ?? {}).filter(isRemoved);
  const removesCommand = type === undefined && profile.key_command !== undefined;
  if (removed.length === 0 && !removesCommand)
    return output.notice(`The profile ${name} has no ${type ?? 'API'} key.`);
  await changeUserConfig(settings.configDir, (config) => {
    const { key_command, keys, ...rest } = config.profiles[name] ?? profile;
    config.profiles[name] = {
      ...rest,
      keys: Object.fromEntries(Object.entries(keys ?? {}).filter(([key]) => !isRemoved(key))),
      ...(!removesCommand && key_command !== undefined && { key_command }),
    };
  });
  const what = [...removed.map((key) => `the ${key} key`), ...(removesCommand ? ['the key command'] : [])];
  output.notice(
    `Removed ${what.join(', ')} from profile ${name}. The service still accepts what was removed.`,
  );
}
