import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { selectKey } from '../../client/api-keys.js';
import { PERMISSIONS, type Permission } from '../../contract/permissions.js';
import { CliError, usageError } from '../lib/errors.js';
import { readProjectTarget } from './project-file.js';
import type { Keys, Settings } from './settings.js';
import { readRunningState } from './state-file.js';
import { type Profile, readUserConfig } from './user-config.js';

/** Which service, and with which keys. */
export interface Target {
  baseUrl: string;
  /** What chose it, for messages: `--base-url`, `profile dev`, `the emulator of /…`. */
  source: string;
  headerPrefix: string | undefined;
  keys: Keys;
}

const THREE_WAYS =
  'Name one with --base-url URL (TOKENCTL_BASE_URL), choose a profile with --profile NAME (tokenctl profile add NAME --base-url URL), or start the emulator: tokenctl emulator start.';

/** @throws {CliError} when it is no http or https URL. */
export function validateBaseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw usageError(
      `${source} must be an http or https URL without query, such as https://api.example.com.`,
    );
  if (url.username || url.password)
    throw usageError(`${source} must not hold credentials; keys come from the environment or a profile.`);
  return url.href.replace(/\/+$/, '');
}

async function namedProfile(settings: Settings, name: string, source: string): Promise<Profile> {
  const { profiles } = await readUserConfig(settings.configDir);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profile;
  const known = Object.keys(profiles);
  throw usageError(
    `There is no profile ${JSON.stringify(name)} (${source}).`,
    known.length > 0
      ? `There are: ${known.join(', ')}.`
      : `Make it: tokenctl profile add ${name} --base-url URL`,
  );
}

function profileTarget(profile: Profile, name: string): Target {
  return {
    baseUrl: validateBaseUrl(profile.base_url, `base_url of the profile ${name}`),
    source: `profile ${name}`,
    headerPrefix: profile.header_prefix,
    keys: profile.keys ?? {},
  };
}

/** A target without a base URL of its own: a profile, or the emulator of this directory. */
async function indirectTarget(settings: Settings): Promise<Target | undefined> {
  if (settings.profile !== undefined)
    return profileTarget(
      await namedProfile(settings, settings.profile, settings.profileSource),
      settings.profile,
    );
  const project = await readProjectTarget(settings.cwd);
  if (project?.baseUrl !== undefined) {
    const baseUrl = validateBaseUrl(project.baseUrl, `base_url in ${project.path}`);
    return withKeysOf(baseUrl, project.path, await knownTargets(settings));
  }
  if (project?.profile !== undefined)
    return profileTarget(await namedProfile(settings, project.profile, project.path), project.profile);
  const { current } = await readUserConfig(settings.configDir);
  if (current !== undefined)
    return profileTarget(await namedProfile(settings, current, 'the current one'), current);
  return emulatorTarget(settings);
}

async function emulatorTarget(settings: Settings): Promise<Target | undefined> {
  const state = await readRunningState(settings);
  if (!state) return undefined;
  return {
    baseUrl: state.base_url,
    source: `the emulator on ${state.data_dir}`,
    headerPrefix: state.header_prefix,
    keys: state.keys ?? {},
  };
}

/** The targets whose keys may be used for a base URL that came alone. */
async function knownTargets(settings: Settings): Promise<Target[]> {
  const { current, profiles } = await readUserConfig(settings.configDir);
  const names = Object.keys(profiles).sort((a, b) => Number(b === current) - Number(a === current));
  const targets = names.map((name) => profileTarget(profiles[name] as Profile, name));
  const emulator = await emulatorTarget(settings);
  return emulator ? [...targets, emulator] : targets;
}

/** A key goes to the service it was given for and to no other, so a base URL alone finds keys by being equal. */
function withKeysOf(baseUrl: string, source: string, targets: readonly Target[]): Target {
  const match = targets.find((target) => target.baseUrl === baseUrl);
  return { baseUrl, source, headerPrefix: match?.headerPrefix, keys: match?.keys ?? {} };
}

/**
 * `--base-url` > `TOKENCTL_BASE_URL` > profile (flag, environment, project file, the current one) > the emulator
 * running for this directory.
 * @throws {CliError} when there is none.
 */
export async function resolveTarget(settings: Settings): Promise<Target> {
  if (settings.baseUrl === undefined) {
    const target = await indirectTarget(settings);
    if (!target) throw usageError('There is no service to talk to.', THREE_WAYS);
    return target;
  }
  const baseUrl = validateBaseUrl(settings.baseUrl, settings.baseUrlSource);
  // A profile named beside a base URL lends its keys: the user said so.
  if (settings.profile !== undefined) {
    const profile = await namedProfile(settings, settings.profile, settings.profileSource);
    return { ...profileTarget(profile, settings.profile), baseUrl, source: settings.baseUrlSource };
  }
  return withKeysOf(baseUrl, settings.baseUrlSource, await knownTargets(settings));
}

/** The keys to use: `--key-file` > environment > the target's own. */
export async function resolveKeys(settings: Settings, target: Pick<Target, 'keys'>): Promise<Keys> {
  if (settings.keyFile !== undefined) return { any: await readKeyFile(settings.cwd, settings.keyFile) };
  const { any, management, private: privateKey } = settings.keys;
  // TOKENCTL_API_KEY stands for every operation, so nothing of the target's is mixed in with it.
  if (any !== undefined) return { any, management, private: privateKey };
  return {
    ...target.keys,
    ...(management !== undefined && { management }),
    ...(privateKey !== undefined && { private: privateKey }),
  };
}

export async function readKeyFile(cwd: string, path: string): Promise<string> {
  const key = (
    await readFile(resolve(cwd, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw usageError(`--key-file ${path} cannot be read: ${error.code}.`);
    })
  ).trim();
  if (key === '' || /\s/.test(key))
    throw usageError(`--key-file ${path} must hold one key and nothing else.`);
  return key;
}

/** @throws {CliError} when there is no key for an operation of this permission. */
export function requiredKey(keys: Keys, permission: Permission | null, source: string): string {
  const key = selectKey(keys, permission);
  if (key !== undefined) return key;
  const type =
    permission === null
      ? 'any'
      : PERMISSIONS[permission].types.includes('private' as never)
        ? 'private'
        : 'management';
  throw new CliError(
    'unauthorized',
    permission === null
      ? `There is no API key for ${source}.`
      : `There is no ${type} key for ${source}; this needs ${permission}.`,
    {
      hint: `Set TOKENCTL_API_KEY${type === 'any' ? '' : ` or TOKENCTL_${type.toUpperCase()}_KEY`}, give --key-file FILE, or run tokenctl auth login.`,
    },
  );
}
