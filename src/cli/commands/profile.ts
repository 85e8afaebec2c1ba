import type { Context } from '../command.js';
import { validateBaseUrl } from '../config/base-url.js';
import type { Settings } from '../config/settings.js';
import { changeUserConfig, readUserConfig } from '../config/user-config.js';
import type { Options } from '../flags/flag.js';
import { CliError, usageError } from '../lib/errors.js';
import { confirmLocalDeletion } from './shared/confirm.js';
import { checkProfileName, profileSummary, requireProfile } from './shared/profiles.js';

type AddOptions = { name: string } & Options<'protected' | 'use', boolean> & Options<'keyCommand'>;

/** The base URL for a profile. The environment selects the target of this run only. */
const givenBaseUrl = ({ baseUrl, baseUrlSource }: Settings): string | undefined =>
  baseUrlSource === '--base-url' ? baseUrl : undefined;

export async function addProfile(
  { name, use, keyCommand, protected: isProtected }: AddOptions,
  context: Context,
) {
  const { settings, output, prompts } = context;
  checkProfileName(name);
  const config = await readUserConfig(settings.configDir);
  if (Object.hasOwn(config.profiles, name))
    throw usageError(
      `The profile ${name} already exists.`,
      `Change it: tokenctl profile set ${name} --base-url URL; or add a key to it: tokenctl auth login --profile ${name}`,
    );
  const given = givenBaseUrl(settings);
  const text = given ?? (await prompts.text({ flag: '--base-url', message: 'Base URL' }));
  const profile = {
    base_url: validateBaseUrl(text, '--base-url'),
    ...(settings.headerPrefix !== undefined && { header_prefix: settings.headerPrefix }),
    keys: {},
    ...(keyCommand !== undefined && { key_command: keyCommand }),
    ...(isProtected && { protected: true }),
  };
  const isCurrent = use || Object.keys(config.profiles).length === 0;
  await changeUserConfig(settings.configDir, (changed) => {
    changed.profiles[name] = profile;
    if (isCurrent) changed.current = name;
  });
  await output.plain(profileSummary(name, profile, isCurrent ? name : config.current));
  if (keyCommand === undefined) output.notice(`Add its keys: tokenctl auth login --profile ${name}`);
}

type SetOptions = Pick<AddOptions, 'name' | 'keyCommand' | 'protected'>;

export async function setProfile({ name, keyCommand, protected: isProtected }: SetOptions, context: Context) {
  const { settings, output } = context;
  const { config, profile } = await requireProfile(name, context);
  const baseUrl = givenBaseUrl(settings);
  const changes = {
    ...(baseUrl !== undefined && { base_url: validateBaseUrl(baseUrl, '--base-url') }),
    ...(keyCommand !== undefined && { key_command: keyCommand }),
    ...(isProtected !== undefined && { protected: isProtected }),
  };
  if (Object.keys(changes).length === 0)
    throw usageError('Nothing to change.', 'Give --base-url, --key-command or --protected.');
  const changed = { ...profile, ...changes };
  await changeUserConfig(settings.configDir, ({ profiles }) => {
    profiles[name] = changed;
  });
  await output.plain(profileSummary(name, changed, config.current));
}

export async function listProfiles(_options: object, { output, settings }: Context) {
  const { profiles, current } = await readUserConfig(settings.configDir);
  const list = Object.entries(profiles).map(([name, profile]) => profileSummary(name, profile, current));
  await output.plainList(list, {
    columns: [
      { title: '', field: 'current', show: (isCurrent) => (isCurrent ? '*' : ''), importance: 3 },
      { title: 'NAME', field: 'name', importance: 2 },
      { title: 'BASE URL', field: 'base_url', importance: 1 },
      {
        title: 'PROTECTED',
        field: 'protected',
        show: (isProtected) => (isProtected ? 'yes' : 'no'),
        importance: 1,
      },
      { title: 'KEYS', field: 'keys', format: 'words' },
    ],
    empty: 'No profiles. Add one: tokenctl profile add NAME --base-url URL',
  });
}

export async function showProfile({ name }: { name: string | undefined }, context: Context) {
  const { settings, output } = context;
  const wanted = name ?? settings.profile ?? (await readUserConfig(settings.configDir)).current;
  if (wanted === undefined)
    throw new CliError('not_found', 'There is no current profile.', {
      hint: 'Add one: tokenctl profile add NAME --base-url URL',
    });
  const { config, profile } = await requireProfile(wanted, context);
  await output.plain(profileSummary(wanted, profile, config.current));
}

export async function useProfile({ name }: { name: string }, context: Context) {
  await requireProfile(name, context);
  await changeUserConfig(context.settings.configDir, (config) => {
    config.current = name;
  });
  context.output.notice(`The current profile is now ${name}.`);
}

export async function removeProfile({ name }: { name: string }, context: Context) {
  await requireProfile(name, context);
  await confirmLocalDeletion(`profile ${name} with its keys`, context);
  await changeUserConfig(context.settings.configDir, (config) => {
    delete config.profiles[name];
    if (config.current === name) delete config.current;
  });
  context.output.notice(`Removed profile ${name}.`);
}
